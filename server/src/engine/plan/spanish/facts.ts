import type { FactPatterns } from '../translate/types.ts';

/** Questions for facts about a recording. */
export const spanishFacts: FactPatterns = {
  language: 'Spanish',
  video: '(?:(?:el|la|este|esta|del|de la) )?(?:vídeo|video|clip|grabación|grabacion|película|archivo)',
  facts: {
    'how long is the video': [
      'cu[aá]nto (?:dura|tiempo dura) VIDEO',
      '(?:duraci[oó]n|longitud)(?: (?:VIDEO|de VIDEO))?',
      'cu[aá]l es la duraci[oó]n(?: VIDEO)?',
    ],
    'when was the video recorded': [
      'cu[aá]ndo (?:se grab[oó]|fue grabado|se film[oó]|fue filmado)(?: VIDEO| esto)?',
      'fecha de grabaci[oó]n(?: VIDEO)?',
    ],
    'what is the resolution': ['(?:(?:qu[eé]|cu[aá]l es la) )?resoluci[oó]n(?: tiene)?(?: VIDEO)?'],
    'what is the frame rate': ['cu[aá]ntos (?:fps|fotogramas por segundo)(?: tiene VIDEO)?'],
    'which codec': ['qu[eé] c[oó]dec(?: (?:tiene|usa))?(?: VIDEO)?'],
    'what is the file size': ['(?:cu[aá]nto (?:pesa|ocupa) VIDEO|tama[nñ]o del archivo)'],
    'what file type is it': ['qu[eé] (?:tipo de archivo|formato)(?: (?:es|tiene))?(?: VIDEO)?'],
    'is there sound on this': ['(?:tiene|hay) (?:VIDEO )?(?:sonido|audio)(?: VIDEO| en VIDEO)?'],
    'what camera was used': [
      '(?:con )?qu[eé] c[aá]mara (?:se us[oó]|se utiliz[oó]|se grab[oó]|fue grabado)(?: VIDEO)?',
    ],
    'how many shots are there': [
      'cu[aá]ntos planos (?:hay|tiene VIDEO)',
      'cu[aá]ntas (?:tomas|escenas) (?:hay|tiene VIDEO)',
    ],
    'is it dark': ['(?:est[aá]|es) (?:oscuro|de noche)'],
    'is it daytime': ['es de d[ií]a'],
    'is the picture black': [
      '(?:la imagen|la pantalla) est[aá] (?:en )?negr[oa]',
      'est[aá] (?:la imagen|la pantalla) (?:en )?negr[oa]',
    ],
    'does the camera move': ['(?:se mueve la c[aá]mara|la c[aá]mara se mueve)'],
    'is the camera still': ['(?:est[aá] )?(?:la c[aá]mara )?(?:est[aá] )?(?:quieta|fija)(?: la c[aá]mara)?'],
  },
};

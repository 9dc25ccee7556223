import type { FactPatterns } from '../translate/types.ts';

/** Questions for facts about a recording. */
export const frenchFacts: FactPatterns = {
  language: 'French',
  video: "(?:(?:la|le|cette|ce|du|de la) |l'|de l')?(?:vidéo|video|clip|enregistrement|film|fichier)",
  facts: {
    'how long is the video': [
      'combien de temps dure VIDEO',
      '(?:quelle est la )?(?:durée|longueur)(?: VIDEO)?',
      'VIDEO dure combien de temps',
    ],
    'when was the video recorded': [
      "quand (?:VIDEO |ça |cela )?(?:a (?:été|ete|-t-elle été)|a-t-elle été|est-ce que VIDEO a été|est-ce que c'a été) (?:filmée?|enregistrée?|tournée?)",
      "date d'enregistrement(?: VIDEO)?",
    ],
    'what is the resolution': ['(?:quelle est la )?(?:résolution|resolution)(?: VIDEO)?'],
    'what is the frame rate': [
      "combien d'images par seconde",
      '(?:quelle est la )?(?:fréquence|cadence) (?:des |d.)images',
    ],
    'which codec': ['quel (?:est le )?codec(?: VIDEO)?'],
    'what is the file size': ['(?:quelle est la )?taille (?:VIDEO|de VIDEO)'],
    'what file type is it': ['(?:quel (?:est le )?)?(?:format|type)(?: de fichier)?(?: VIDEO)?'],
    'is there sound on this': ["(?:est-ce qu'il y a|y a-t-il|il y a) du son(?: (?:dans|sur) VIDEO)?", 'VIDEO a du son'],
    'what camera was used': ['(?:avec )?quelle caméra(?: a été utilisée)?'],
    'how many shots are there': ['combien de (?:plans|scènes)(?: y a-t-il| il y a)?(?: dans VIDEO)?'],
    'is it dark': [
      "(?:est-ce qu'il )?fait(?:-il)? (?:nuit|sombre|noir)",
      'il fait (?:nuit|sombre|noir)',
      "l'image est (?:sombre)",
    ],
    'is it daytime': ["(?:est-ce qu'il )?fait(?:-il)? jour", 'il fait jour'],
    'is the picture black': [
      "(?:est-ce que )?l'(?:image|écran) est(?:-elle|-il)? (?:toute |tout |complètement )?noire?",
    ],
    'does the camera move': ['(?:est-ce que )?la caméra bouge(?:-t-elle)?'],
    'is the camera still': ['(?:est-ce que )?la caméra est(?:-elle)? (?:fixe|immobile)'],
  },
};

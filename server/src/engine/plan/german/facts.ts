import type { FactPatterns } from '../translate/types.ts';

/** Questions for facts about a recording. */
export const germanFacts: FactPatterns = {
  language: 'German',
  video:
    '(?:(?:das|dieses|dies|der|die|dieser|diese|dem|des|im) )?(?:video|videos|clip|clips|aufnahme|film|films|datei)',
  facts: {
    'is the video blurry': ['(?:ist|war) VIDEO (?:unscharf|verschwommen)'],
    'how long is the video': [
      'wie lange?(?: ist| dauert| geht)? VIDEO',
      '(?:länge|laenge|dauer|laufzeit)(?: VIDEO)?',
      '(?:video|clip)(?:länge|laenge|dauer)',
    ],
    'when was the video recorded': [
      'wann (?:wurde|ist|war) (?:VIDEO|das|es|dies) (?:aufgenommen|gefilmt|gedreht|aufgezeichnet)(?: worden)?',
      '(?:aufnahme|dreh)(?:datum|zeit|zeitpunkt)(?: VIDEO)?',
      'an welchem (?:tag|datum) (?:wurde|ist) (?:VIDEO|das|es) (?:aufgenommen|gefilmt|gedreht)(?: worden)?',
    ],
    'what is the resolution': [
      '(?:welche|was ist die) (?:video)?auflösung(?: (?:hat|ist|von))?(?: VIDEO)?',
      '(?:video)?auflösung(?: VIDEO)?',
    ],
    'what is the frame rate': [
      '(?:welche|was ist die) (?:bildrate|bildfrequenz|framerate)(?: (?:hat|ist))?(?: VIDEO)?',
      'wie viele bilder pro sekunde(?: hat VIDEO)?',
    ],
    'which codec': ['(?:welcher|welchen|was für ein(?:en)?) codec(?: (?:hat|ist|wird verwendet))?(?: VIDEO)?'],
    'what is the file size': ['(?:dateigröße|dateigrösse)(?: VIDEO)?', 'wie gro(?:ß|ss) ist VIDEO'],
    'what file type is it': [
      '(?:welches|was für ein) (?:dateiformat|format|dateityp)(?: (?:hat|ist))?(?: (?:VIDEO|das))?',
      '(?:dateityp|dateiformat|videoformat)',
    ],
    'is there sound on this': [
      '(?:hat|gibt es bei) VIDEO (?:einen )?(?:ton|tonspur|audio|sound)',
      '(?:gibt es|hat es) (?:einen )?(?:ton|tonspur|audio)',
      'ist (?:da )?ton (?:dabei|drauf)',
    ],
    'what camera was used': [
      '(?:mit )?(?:welcher|welche) kamera (?:wurde|ist) (?:(?:VIDEO|das|es) )?(?:aufgenommen|gefilmt|gedreht|verwendet|benutzt)(?: worden)?',
    ],
    'how many shots are there': ['wie ?viele (?:einstellungen|szenen)(?: (?:gibt es|hat VIDEO))?'],
    'is it dark': ['ist es (?:dunkel|nacht|nachts)(?: im VIDEO)?', 'ist das bild dunkel'],
    'is it daytime': ['ist es (?:tag|tagsüber|hell)'],
    'is the picture black': ['ist (?:das bild|der bildschirm|alles) (?:ganz |komplett )?schwarz'],
    'does the camera move': ['bewegt sich die kamera', 'wird die kamera bewegt'],
    'is the camera still': ['(?:steht|ist) die kamera (?:still|fest)'],
    'is there any sound': [
      '(?:hört man|ist da|gibt es) (?:etwas|was|irgendetwas|geräusche|ein geräusch)(?: zu hören)?',
    ],
  },
};

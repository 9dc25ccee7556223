import type { ForeignLanguage } from '../translate/types.ts';
import { nouns } from './nouns.ts';

/** Forms of adjectives in -o, and of those that have one form for both genders. */
const adjective = (...masculines: string[]) =>
  masculines.map((word) => `${word}, ${word.replace(/o$/, 'a')}, ${word}s, ${word.replace(/o$/, 'as')}`).join(', ');

export const spanish: ForeignLanguage = {
  name: 'Spanish',
  code: 'es',
  roles: {
    noun: nouns,
    color: {
      red: adjective('rojo', 'de color rojo'),
      orange: 'naranja, anaranjado, anaranjada, anaranjados, anaranjadas, de color naranja',
      yellow: adjective('amarillo'),
      green: 'verde, verdes',
      blue: 'azul, azules',
      purple: `${adjective('morado')}, violeta, violetas`,
      pink: 'rosa, rosas, rosado, rosada, rosados, rosadas',
      brown: 'marrón, marrones, café, castaño, castaña',
      black: adjective('negro'),
      white: adjective('blanco'),
      gray: 'gris, grises',
      silver: adjective('plateado'),
    },
    state: {
      parked: adjective('estacionado', 'aparcado'),
      stationary: adjective('parado', 'detenido', 'inmóvil').replaceAll('inmóvils', 'inmóviles'),
      moving: 'en movimiento',
    },
    number: {
      2: 'dos',
      3: 'tres',
      4: 'cuatro',
      5: 'cinco',
      6: 'seis',
      7: 'siete',
      8: 'ocho',
      9: 'nueve',
      10: 'diez',
      12: 'doce',
      20: 'veinte',
      30: 'treinta',
    },
    amount: { several: 'varios, varias, algunos, algunas', many: 'muchos, muchas' },
    compare: {
      'at least': 'al menos, por lo menos, como mínimo',
      'at most': 'como máximo, a lo sumo',
      'more than': 'más de',
      'less than': 'menos de',
      exactly: 'exactamente',
    },
    article: {
      the: 'el, la, los, las',
      a: 'un, una, unos, unas, algún, alguna',
      no: 'ningún, ninguna, sin ningún, no hay, no hay ningún, no hay ninguna',
    },
    action: {
      enter: 'entra, entran, entrando, entrar, entra en, entran en, entrando en, entrar en',
      leave: 'sale, salen, saliendo, salir, sale de, salen de, saliendo de, se va, se van, abandona, abandonan',
      stop: 'se detiene, se detienen, detenerse, deteniéndose, frena hasta detenerse',
      'start moving':
        'arranca, arrancan, arrancando, arrancar, empieza a moverse, empiezan a moverse, se pone en marcha, se ponen en marcha, comienza a moverse, comienzan a moverse',
      turn: 'gira, giran, girando, girar, dobla, doblan, doblando, doblar',
      wait: 'espera, esperan, esperando, esperar',
      stand: 'está de pie, están de pie, de pie, está parada, está parado, están parados, están paradas',
      'stand still': 'está quieto, está quieta, están quietos, están quietas, no se mueve, no se mueven',
      sit: 'está sentado, está sentada, están sentados, están sentadas, sentado, sentada, sentados, sentadas',
      appear: 'aparece, aparecen, apareciendo, aparecer',
      disappear: 'desaparece, desaparecen, desapareciendo, desaparecer',
      run: 'corre, corren, corriendo, correr',
      walk: 'camina, caminan, caminando, caminar, anda, andan, andando',
      'walk away': 'se aleja, se alejan, alejándose, alejarse',
      move: 'se mueve, se mueven, moviéndose, moverse, circula, circulan, circulando',
      cross: 'cruza, cruzan, cruzando, cruzar, atraviesa, atraviesan, atravesando',
      approach: 'se acerca, se acercan, acercándose, acercarse',
      park: 'aparca, aparcan, aparcando, aparcar, estaciona, estacionan, estacionando, estacionar, se estaciona, se estacionan',
      fly: 'vuela, vuelan, volando, volar',
      brake: 'frena, frenan, frenando, frenar',
    },
    side: { left: 'a la izquierda', right: 'a la derecha' },
    place: {
      'in front of us': 'delante de nosotros, frente a nosotros',
      'on the left': 'en el lado izquierdo, en la parte izquierda, en la izquierda, de la izquierda',
      'on the right': 'en el lado derecho, en la parte derecha, en la derecha, de la derecha',
      'in the middle': 'en el centro, en el medio',
      'at the top': 'arriba, en la parte superior',
      'at the bottom': 'abajo, en la parte inferior',
      'in the top left': 'arriba a la izquierda',
      'in the top right': 'arriba a la derecha',
      'in the bottom left': 'abajo a la izquierda',
      'in the bottom right': 'abajo a la derecha',
    },
    direction: { 'to the left': 'hacia la izquierda', 'to the right': 'hacia la derecha' },
    origin: {
      'from the left': 'por la izquierda, desde la izquierda',
      'from the right': 'por la derecha, desde la derecha',
    },
    setting: {
      'the room': 'la habitación, la sala, el cuarto',
      'the street': 'la calle, la carretera',
      'the picture': 'la imagen, el cuadro',
      'the building': 'el edificio, la casa',
    },
    relation: {
      near: 'cerca de, cerca del, junto a, al lado de, al lado del, junto al',
      with: 'con',
      without: 'sin',
    },
    join: { 'and then': 'luego, después, entonces, y luego, y después', and: 'y, e', or: 'o, u', while: 'mientras' },
    ask: {
      'how many': 'cuántos, cuántas',
      'how long': 'cuánto tiempo',
      'how often': 'cuántas veces, con qué frecuencia',
      when: 'cuándo',
    },
    unit: { seconds: 'segundo, segundos, s, seg', minutes: 'minuto, minutos, min', hours: 'hora, horas' },
    lasting: { for: 'durante, por' },
    relative: { who: 'que' },
    filler: {
      please:
        'por favor, muestra, muéstrame, muestre, busca, buscar, encuentra, encontrar, todos, todas, todos los, todas las, hay, está, están, es, son, se ve, se ven, en el vídeo, en la imagen, en el video, en la escena, cuando, momentos en los que, escenas en las que',
    },
    ambiguous: {
      'it may be a bench or a bank': 'banco, bancos',
      'it may be the animal or the computer mouse': 'ratón, ratones',
      'it may mean stopping, standing up, or "for"': 'para, paran, se para, se paran, pararse',
      'it may be a wine glass or another glass': 'copa, copas',
    },
  },
  common:
    'no, de, del, al, en, con, lo, su, sus, este, esta, ese, esa, muy, más, menos, pero, porque, como, qué, quién, dónde, por, sobre, entre, hasta, desde, también, otra, otro, mismo, misma, pequeño, pequeña, grande, chaqueta, camisa, casa, puerta, calle, lleva, tiene, va, van, viene, fue, era, ha, han, ser, le, les, nos, él, ella, ellos, cae, salta',
};

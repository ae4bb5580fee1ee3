/** From the first character to behind the last: bytes of the unpatched file. */
export interface Span {
  start: number;
  end: number;
}

/** The body of a loop: what is between its braces, or the one statement that it is. */
export interface Body extends Span {
  braces: boolean;
}

/**
 * Where the edits of one bundle go: all that a patch needs of its class. Offsets and public names, so that it can be
 * recorded of released bytes, which then need no parser.
 */
export interface Places {
  /** The name of the read loop's variable. */
  frame: Span;
  /** The body of the read loop. */
  reading: Body;
  /** `this.handleControlRequest(e)` */
  request: Span;
  /** Between the braces of `streamInput`. */
  call: Span;
  /** The loop over the prompts, and its body. */
  loop: Span;
  prompts: Body;
  /** The `endInput` calls. */
  sites: (Span & { method: string })[];
  /** Where the body of `cleanup` begins. */
  cleanup: number;
  /** Between the braces of the generator that hands frames to the consumer. */
  output: Span;
  /** Where the bodies of the methods begin by which a consumer leaves. */
  leaving: number[];
  /** Where a method of ours may stand; null where the class has one of that name. */
  holdInput: number | null;
  /** The parameter of `stopTask` and its request; null where there is none. */
  stop: { id: Span; request: Span } | null;
  /** Where the child's environment can be changed, and the name of the variable that holds it. */
  env: { at: number; variable: Span } | null;
}

/**
 * Places as one word for the catalogue, `v2k4:1,v2k8:9j:b,...`: start and length in base 36, `-` for what is not there.
 * @returns text that {@link readPlaces} reads
 */
export function writePlaces(places: Places): string {
  const { frame, reading, request, call, loop, prompts, sites, cleanup, output, stop, env } = places;
  const at = (offset: number): string => offset.toString(36);
  const span = ({ start, end }: Span): string => `${at(start)}:${at(end - start)}`;
  const body = (one: Body): string => span(one) + (one.braces ? ':b' : '');
  return [
    span(frame),
    body(reading),
    span(request),
    span(call),
    span(loop),
    body(prompts),
    sites.map((site) => `${site.method}:${span(site)}`).join('+'),
    at(cleanup),
    span(output),
    places.leaving.map(at).join('+') || none,
    places.holdInput === null ? none : at(places.holdInput),
    stop ? `${span(stop.id)}+${span(stop.request)}` : none,
    env ? `${at(env.at)}+${span(env.variable)}` : none,
  ].join();
}

const none = '-';

/** Places from the word that {@link writePlaces} made of them. */
export function readPlaces(word: string): Places {
  const fields = word.split(',');
  const field = (index: number): string => fields[index] ?? '';
  const list = (index: number): string[] => (field(index) === none ? [] : field(index).split('+'));
  const [stopId, stopRequest] = list(11);
  const [envAt, envVariable] = list(12);
  return {
    frame: readSpan(field(0)),
    reading: readBody(field(1)),
    request: readSpan(field(2)),
    call: readSpan(field(3)),
    loop: readSpan(field(4)),
    prompts: readBody(field(5)),
    sites: list(6).map((site) => {
      const colon = site.indexOf(':');
      return { ...readSpan(site.slice(colon + 1)), method: site.slice(0, colon) };
    }),
    cleanup: readOffset(field(7)),
    output: readSpan(field(8)),
    leaving: list(9).map(readOffset),
    holdInput: field(10) === none ? null : readOffset(field(10)),
    stop: stopId && stopRequest ? { id: readSpan(stopId), request: readSpan(stopRequest) } : null,
    env: envAt && envVariable ? { at: readOffset(envAt), variable: readSpan(envVariable) } : null,
  };
}

function readOffset(text: string): number {
  return Number.parseInt(text, 36);
}

function readSpan(text: string): Span {
  const [start = '', length = ''] = text.split(':');
  return { start: readOffset(start), end: readOffset(start) + readOffset(length) };
}

function readBody(text: string): Body {
  return { ...readSpan(text), braces: text.endsWith(':b') };
}

const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** 'Chrome on macOS', by what the browser calls itself. @param other for an agent that is not known */
export function deviceInWords(agent: string | null, other = 'Unknown device'): string {
  const find = (kinds: [RegExp, string][]) => kinds.find(([known]) => known.test(agent ?? ''))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return system ?? other;
  return system === undefined ? browser : `${browser} on ${system}`;
}

export function isPhone(agent: string | null): boolean {
  return /iPhone|iPad|Android/.test(agent ?? '');
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** A network address; the server's own has a name, and an unknown one none. */
export function machineInWords(address: string | null): string {
  if (address === null) return '';
  return LOOPBACK.test(address) ? 'This server' : address;
}

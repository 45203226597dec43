/** 'America/New York' for 'America/New_York'. */
export function zoneInWords(id: string): string {
  return id.replaceAll('_', ' ');
}

/** The time zones that the browser knows, and the one that is set. @param first the firm's, once it is known */
export function zoneOptions(current: string, first?: string) {
  const known = Intl.supportedValuesOf('timeZone');
  const others = known.includes(current) ? known : [current, ...known];
  const zones = new Set(first === undefined ? others : [first, ...others]);
  return [...zones].map((id) => ({ id, label: zoneInWords(id) }));
}

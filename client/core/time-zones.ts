/** 'America/New York' for 'America/New_York'. */
export function zoneInWords(id: string): string {
  return id.replaceAll('_', ' ');
}

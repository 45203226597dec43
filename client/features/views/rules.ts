/** The members of an address that make a view, in their order: 'status=Discovery&sort=sol'. */
export function queryOf(params: URLSearchParams, members: readonly string[]): string {
  const own = new URLSearchParams();
  for (const name of members) {
    const value = params.get(name);
    if (value !== null && value !== '') own.set(name, value);
  }
  return own.toString();
}

/** The address of a saved view; the page's own view, such as the calendar's deadlines, stays. */
export function searchOf(
  query: string,
  params: URLSearchParams,
  members: readonly string[],
): URLSearchParams {
  const view = params.get('view');
  const kept = view === null || members.includes('view') ? [] : [['view', view]];
  return new URLSearchParams([...kept, ...new URLSearchParams(query)]);
}

import type { Route, RouteParams, RouteReply } from '@matterdesk/contract/route.ts';

/** Input of a call; `params` fill the path. */
export type Sent<R extends Route> = {
  token?: string;
  params?: RouteParams<R['path']>;
  query?: Record<string, string>;
  body?: unknown;
};

/** Calls the product like a script. Throws the reply's text unless it succeeds. */
export async function call<R extends Route>(
  url: string,
  route: R,
  sent: Sent<R> = {},
): Promise<RouteReply<R>> {
  const values = new Map(Object.entries<string>(sent.params ?? {}));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name) ?? ''),
  );
  const search = new URLSearchParams(sent.query).toString();
  const response = await fetch(`${url}${path}${search === '' ? '' : `?${search}`}`, {
    method: route.method,
    headers: {
      ...(sent.token !== undefined && { 'x-auth-token': sent.token }),
      ...(sent.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  });
  const text = await response.text();
  if (response.status !== (route.status ?? 200)) {
    throw new Error(`${route.method} ${path} answered ${response.status}: ${text}`);
  }
  return (JSON.parse(text) as { body: RouteReply<R> }).body;
}

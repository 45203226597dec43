const ROOT = 'https://www.googleapis.com/auth/gmail.';
const ALL = 'https://mail.google.com/';

/** Whether these permissions allow a mailbox operation; `path` begins after the account. */
export function mayDo(scopes: string[], method: string, path: string): boolean {
  const allowed = [ALL, ...enough(method, path).map((name) => ROOT + name)];
  return scopes.some((scope) => allowed.includes(scope));
}

function enough(method: string, path: string): string[] {
  if (path === 'profile') return ['modify', 'compose', 'readonly', 'metadata'];
  if (path === 'messages/send' || path === 'drafts/send')
    return path.startsWith('drafts') ? ['modify', 'compose'] : ['modify', 'compose', 'send'];
  if (path.startsWith('drafts'))
    return method === 'GET' ? ['modify', 'compose', 'readonly'] : ['modify', 'compose'];
  if (path.startsWith('labels'))
    return method === 'GET' ? ['modify', 'readonly', 'labels', 'metadata'] : ['modify', 'labels'];
  if (path === 'messages/import' || (path === 'messages' && method === 'POST'))
    return ['modify', 'insert'];
  if (path === 'watch' || path === 'stop') return ['modify', 'readonly', 'metadata'];
  // Permanent deletion requires full access.
  if (method === 'DELETE' || path === 'messages/batchDelete') return [];
  if (method !== 'GET') return ['modify'];
  return path.includes('/attachments/')
    ? ['modify', 'readonly']
    : ['modify', 'readonly', 'metadata'];
}

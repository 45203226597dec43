import type { SignedIn } from '@matterdesk/contract/accounts.ts';
import { DOMAIN } from '../seed/people.ts';
import { HttpClient } from './http-client.ts';
import { PASSWORD } from './seeded-data.ts';

/** Signs the seeded firm's admin in at so many browsers. @returns their tokens */
export async function signInAdmins(port: number, count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) tokens.push((await signInAdmin(port)).token);
  return tokens;
}

/** Signs the seeded firm's admin in. */
export async function signInAdmin(port: number): Promise<SignedIn> {
  const client = new HttpClient(port, 1);
  try {
    const json = { email: `ama.owusu@${DOMAIN}`, password: PASSWORD };
    return await client.askJson<SignedIn>({ method: 'POST', path: '/api/v1/users/login', json });
  } finally {
    client.close();
  }
}

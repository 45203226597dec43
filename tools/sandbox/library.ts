import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import type { Case } from '@matterdesk/contract/cases.ts';
import { createClient } from '@matterdesk/server/testing/client.ts';
import { train, upload } from '@matterdesk/server/testing/training.ts';
import { PASSWORD, staff } from './firm.ts';
import { papers } from './library-papers.ts';

/** Newest matters with documents; the others show how a library begins. */
const FILLED = 3;

/** Gives the newest lawsuits their documents, most of which are trained while the firm is in use. */
export async function fillLibrary(url: string, matters: Case[]): Promise<void> {
  const client = createClient(url);
  const signIn = { email: staff[0]?.email, password: PASSWORD };
  const { token } = (await client.call(accountRoutes.login, { body: signIn })).body;
  const caller = { url, token };
  const lawsuits = matters.filter(({ caseName }) => caseName.includes(' v. '));
  for (const matter of lawsuits.slice(0, FILLED))
    for (const { folder, name, isTrained, make } of papers) {
      const address = { caseId: matter.id, folder, name };
      await upload(caller, address, await make(matter));
      if (isTrained) await train(caller, address);
    }
  await client.call(accountRoutes.logout, { token });
}

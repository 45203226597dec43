import type { TestApp } from './app.ts';
import { addIntake, type SignedInPerson } from './factories.ts';

/** Entered by the user who is screened later, and owned by another. */
export async function enterIntake(
  app: TestApp,
  { assigned, screened }: Record<'assigned' | 'screened', SignedInPerson>,
  { name, canary }: { name: string; canary: string },
): Promise<string> {
  const { id } = await addIntake(app, screened.token, {
    name: `${canary} Okonkwo`,
    description: `The fall of ${canary}`,
    source: `${canary} radio`,
    owner: assigned.id,
  });
  const added = await sendIntakeFile(app, assigned.token, {
    id,
    name,
    text: `Statement of ${canary}`,
  });
  if (added.status !== 201) throw new Error(added.text);
  return id;
}

export function sendIntakeFile(
  app: TestApp,
  token: string,
  { id, name, text }: { id: string; name: string; text: string },
): ReturnType<TestApp['request']> {
  const body = new FormData();
  body.set('attachments', new Blob([text]), name);
  const headers = { 'x-auth-token': token };
  return app.request(`/api/v1/intakes/${id}/files`, { method: 'POST', headers, body });
}

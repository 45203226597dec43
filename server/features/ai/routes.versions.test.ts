import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '@matterdesk/contract/ai.ts';
import { fileRoutes, fileVersionRoutes } from '@matterdesk/contract/files.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, registerUser, unique } from '../../testing/factories.ts';
import { type Address, settle, train, upload } from '../../testing/training.ts';
import { sendVersion } from '../../testing/uploads.ts';
import { deleteOrphans } from './training/store.ts';

const { app, admin, uploader } = suite({ admin: registerAdmin, uploader: registerUser });
let caseId: string;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
});

const caller = () => ({ url: app.url, token: uploader.token });
const add = (at: Address, text: string) =>
  sendVersion(app, { token: uploader.token, ...at }, Buffer.from(text));
const pageOf = (at: Address, query: { version?: string }) =>
  app.call(fileRoutes.readText, { token: uploader.token, params: at, query });

async function uploaded(name: string, text: string): Promise<Address> {
  const at = { caseId, folder: `Folder ${unique()}`, name };
  await upload(caller(), at, Buffer.from(text));
  return at;
}

describe('a trained file', () => {
  const lease = (sum: string) =>
    `The tenant pays a monthly rent of ${sum} dollars to the landlord.\n`;

  async function ask(at: Address): Promise<Answer> {
    const body = {
      case_id: caseId,
      folder: at.folder,
      file_name: at.name,
      question: 'What is the monthly rent?',
    };
    const reply = await fetch(`${app.url}/ai/chat`, {
      method: 'POST',
      headers: { 'x-auth-token': uploader.token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await reply.json()) as Answer;
  }

  test('is trained again with its new version, and citations say which version they quote', async () => {
    const at = await uploaded('Lease.txt', lease('1,200'));
    await train(caller(), at);
    expect(await settle(caller(), at)).toMatchObject({ status: 201 });
    const [cited] = (await ask(at)).citations;
    expect(cited).toMatchObject({ version: 1, quote: expect.stringContaining('1,200') as string });
    expect(await add(at, lease('1,350'))).toMatchObject({
      status: 201,
      body: { version: 2, training: { status: expect.stringMatching(/^train/) as string } },
    });
    expect(await settle(caller(), at)).toMatchObject({ status: 201 });
    const [now] = (await ask(at)).citations;
    expect(now).toMatchObject({ version: 2, quote: expect.stringContaining('1,350') as string });
    // The quoted text of the earlier version outlives the sweep of texts that no file has.
    await deleteOrphans(app.db);
    expect((await pageOf(at, { version: '1' })).body.text).toContain('1,200');
    expect((await pageOf(at, {})).body.text).toContain('1,350');
    expect(await pageOf(at, { version: '3' })).toMatchObject({ status: 404 });
    const restored = await app.call(fileVersionRoutes.restoreVersion, {
      token: uploader.token,
      params: at,
      body: { version: 1 },
    });
    // Its text is there already.
    expect(restored.body.training.status).toBe('trained');
    expect((await pageOf(at, { version: '3' })).body.text).toContain('1,200');
  });

  test('that was not trained stays so', async () => {
    const at = await uploaded('Memo.txt', 'first');
    expect((await add(at, 'second')).body?.training.status).toBe('not trained');
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { importRoutes } from '@matterdesk/contract/imports.ts';
import { registerAdmin } from '../testing/factories.ts';
import { lines } from '../testing/imports.ts';
import { newPlace, runOperation, type ServerProcess, startProcess } from '../testing/process.ts';

let place: Awaited<ReturnType<typeof newPlace>>;
let server: ServerProcess;
let folder: string;
let token: string;

beforeAll(async () => {
  place = await newPlace();
  server = startProcess({ env: place.env });
  await server.ready;
  ({ token } = await registerAdmin(server));
  folder = path.join(place.dataDir, '..', 'export');
  mkdirSync(folder);
  const contacts = lines('Contact ID,first_name,last_name', '1,Ngozi,Abara');
  const matters = lines(
    'Matter ID,custom_number,description,client_name,practice_area',
    '9,M-1,Abara v. Roe,Ngozi Abara,Injury',
    '8,M-2,Unclaimed,Unknown Client,Injury',
  );
  writeFileSync(path.join(folder, 'contacts.csv'), contacts);
  writeFileSync(path.join(folder, 'matters.csv'), matters);
  writeFileSync(path.join(folder, 'map.json'), '{"tables":{"type":{"Injury":"PI"}}}');
});
afterAll(async () => {
  await server.kill();
  place.remove();
});

const run = (...args: string[]) => runOperation('import', place.dataDir, { args });

test('a folder is imported beside the running server, and refused rows are listed', async () => {
  const map = ['--map', path.join(folder, 'map.json')];
  const args = ['--profile', 'clio', ...map, folder];
  const checked = await run('--dry-run', ...args);
  expect(checked).toMatchObject({ code: 1, stderr: '' });
  const done = await run(...args);
  expect(done).toEqual({ ...checked, stdout: checked.stdout });
  expect(done.stdout.split('\n')).toEqual([
    'contacts: 1 found, 1 new, 0 changed, 0 same, 0 conflicting, 0 refused',
    'matters: 2 found, 1 new, 0 changed, 0 same, 0 conflicting, 1 refused',
    'refused: matters.csv, row 3, column client_name: The matter has no client',
    '',
  ]);
  const { cases } = (await server.call(caseRoutes.listCases, { token, query: {} })).body;
  expect(cases).toMatchObject([{ caseNo: 'M-1', type: 'PI' }]);
  const { imports } = (await server.call(importRoutes.listImports, { token })).body;
  expect(imports.map(({ state }) => state)).toEqual(['done', 'checked']);
});

test('a folder that is not there, or is a file, is refused in a sentence', async () => {
  const places = ['nowhere', 'map.json'].map((name) => path.join(folder, name));
  for (const place of places)
    expect(await run('--profile', 'clio', place)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${place} is not a folder that can be read\n`,
    });
});

test('the same is done while no server runs, and a second run changes nothing', async () => {
  await server.kill();
  const map = ['--map', path.join(folder, 'map.json')];
  const again = await run('--profile', 'clio', ...map, folder);
  expect(again.stdout).toContain('contacts: 1 found, 0 new, 0 changed, 1 same');
  server = startProcess({ env: place.env });
  await server.ready;
});

test('a wrong call says how it is called', async () => {
  for (const args of [[], ['--profile', 'lexis', folder], ['--profile', 'clio']]) {
    const { code, stderr } = await run(...args);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm run import -- --profile <system> <folder>') as string,
    });
  }
});

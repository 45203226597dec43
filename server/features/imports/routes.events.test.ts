import { expect, test } from 'vitest';
import { suite } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import { registerAdmin, registerUser } from '../../testing/factories.ts';
import { importsOf, lines } from '../../testing/imports.ts';

const { app, admin, user } = suite({ admin: registerAdmin, user: registerUser });

test('the end of a move and of its undo reach everyone, and that of a check no one', async () => {
  const socket = await app.socket(user.token);
  const received: unknown[] = [];
  socket.onAny((name: string, payload: unknown) => received.push([name, payload]));
  const api = importsOf(app, admin);
  const { id } = await api.add({
    'contacts.csv': lines('Name,Email', 'Ngozi Abara,n@client.example'),
  });
  await api.run(id, true);
  const moved = nextEvent(socket, 'import.ended');
  await api.run(id);
  expect(await moved).toEqual({ id });
  const undone = nextEvent(socket, 'import.ended');
  await api.undo(id, true);
  await api.undo(id);
  expect(await undone).toEqual({ id });
  expect(received).toEqual([
    ['import.ended', { id }],
    ['import.ended', { id }],
  ]);
});

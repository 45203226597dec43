import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChatModel } from './openai-compatible.ts';

let server: Server;
let reply: (response: ServerResponse) => void = () => undefined;
let closed: Promise<void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
    request.resume();
    reply(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function model(timeouts: { firstWord: number; whole: number }) {
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const config = { baseUrl, apiKey: undefined, chatModel: 'm', embeddingModel: undefined };
  return new ChatModel(config, 'm', timeouts);
}

async function read(chat: ChatModel, signal = new AbortController().signal): Promise<string> {
  let text = '';
  for await (const part of chat.write({ instructions: 'i', prompt: 'p' }, signal)) text += part;
  return text;
}

function say(response: ServerResponse, content: string) {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  response.write(`data: ${JSON.stringify({ id: 'x', created: 1, model: 'm', choices })}\n\n`);
}

test('the client limits the wait for the first piece', async () => {
  reply = () => undefined;
  await expect(read(model({ firstWord: 100, whole: 5000 }))).rejects.toMatchObject({
    reason: 'tooSlow',
  });
});

test('the client limits the duration of a stream', async () => {
  reply = (response) => say(response, 'one word');
  await expect(read(model({ firstWord: 5000, whole: 200 }))).rejects.toMatchObject({
    reason: 'tooSlow',
  });
});

test('the client accepts a reply that is not streamed', async () => {
  reply = (response) => {
    const message = { role: 'assistant', content: 'all of it' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices }));
  };
  expect(await read(model({ firstWord: 5000, whole: 5000 }))).toBe('all of it');
});

test.each(['{', '{}', '{"choices":[]}', '{"error":{"message":"no"}}'])(
  'the client does not accept %s as a reply',
  async (body) => {
    reply = (response) => {
      response.setHeader('content-type', 'application/json');
      response.end(body);
    };
    const reading = read(model({ firstWord: 5000, whole: 5000 }));
    await expect(reading).rejects.toMatchObject({ reason: 'broken' });
  },
);

test('the client aborts the request when its caller stops', async () => {
  const caller = new AbortController();
  reply = (response) => {
    say(response, 'one word');
    setImmediate(() => caller.abort());
  };
  const chat = model({ firstWord: 5000, whole: 5000 });
  await expect(read(chat, caller.signal)).rejects.toMatchObject({ reason: 'aborted' });
  await closed;
});

import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { suite } from '../testing/app.ts';

const { app } = suite(
  {},
  {
    env: {
      PUBLIC_URL: 'https://desk.example.com',
      ALLOWED_HOSTS: 'Desk.example.net, other.example',
    },
  },
);

/** `fetch` sets Host by itself. */
function get(path: string, host: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(app.url + path, { headers: { host } }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => (text += part));
      reply.on('end', () => resolve({ status: reply.statusCode, text }));
    });
    sent.on('error', reject).end();
  });
}

const REFUSED = {
  statusCode: 421,
  code: 'wrongHost',
  message: 'This server does not answer to that name',
  body: null,
};

describe('a request by a name that is not ours', () => {
  test.each([
    '/',
    '/static/js/main.js',
    '/api/v1/users/me',
    '/api/v1/users/registration',
    '/api/v1/nowhere',
    '/api/v1/openapi.json',
  ])('is refused at %s', async (path) => {
    const { status, text } = await get(path, 'evil.example:3000');
    expect(status).toBe(421);
    expect(JSON.parse(text)).toEqual(REFUSED);
  });

  test.each(['evil.example', 'desk.example.com.evil.example', 'example.com', '127.0.0.1.nip.io'])(
    'is refused by the name %s',
    async (host) => expect(await get('/', host)).toMatchObject({ status: 421 }),
  );

  test.each(['/healthz', '/readyz'])('is answered at %s, for monitoring', async (path) => {
    expect(await get(path, 'evil.example')).toMatchObject({ status: 200 });
  });
});

test.each([
  'desk.example.com',
  'DESK.example.com:8443',
  'desk.example.net',
  'other.example',
  'localhost:3000',
  '127.0.0.1',
  '[::1]:3000',
  '192.168.1.20',
  'matterdesk',
  'desk.local',
])('the server answers to %s', async (host) => {
  expect(await get('/api/v1/users/registration', host)).toMatchObject({ status: 200 });
});

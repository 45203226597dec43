import { expect, test } from 'vitest';
import { suite } from '../testing/app.ts';
import { registerUser } from '../testing/factories.ts';

const { app } = suite({});
test.each([
  ['a handshake', 'EIO=4&transport=polling&token=', 200],
  ['an unknown transport', 'EIO=4&transport=pigeon&token=', 400],
  ['an unknown session', 'EIO=4&transport=polling&sid=x&token=', 400],
])(
  'the server sets the usual headers and logs no token for %s by long polling',
  async (_, query, status) => {
    const { token } = await registerUser(app);
    const reply = await app.request(`/socket.io/?${query}${token}`);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const requestId = reply.headers.get('x-request-id');
    const lines = () => app.logLines().filter((line) => line['requestId'] === requestId);
    await expect
      .poll(lines)
      .toMatchObject([{ method: 'GET', route: '/socket.io/', status, msg: 'request' }]);
    expect(JSON.stringify(app.logLines())).not.toContain(token);
  },
);

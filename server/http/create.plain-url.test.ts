import { expect, test } from 'vitest';
import { plainUrl } from './create.ts';

test.each([
  ['/api/v1/cases', '/api/v1/cases'],
  ['/a%20b?q=%zz#%zz', '/a%20b?q=%zz#%zz'],
  ['/%zz', '/%25zz'],
  ['/a%20b%ff?q=1%', '/a%2520b%25ff?q=1%'],
  ['/%', '/%25'],
  ['/a%00b%20c?q=%00', '/a%2500b%2520c?q=%00'],
  ['/%ed%a0%80', '/%25ed%25a0%2580'],
  ['http://desk.example/api/v1/users?x=1', '/api/v1/users?x=1'],
  ['HTTPS://desk.example', '/'],
  ['/http://desk.example', '/http://desk.example'],
  ['*', '*'],
])('normalizes %s to %s', (url, plain) => {
  expect(plainUrl(url)).toBe(plain);
});

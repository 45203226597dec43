import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const MODEL_URL = 'http://127.0.0.1:4000/v1';

test('the configuration does not use a model without an address, whatever else is set', () => {
  expect(readConfig({ OPENAI_API_KEY: 'k', CHAT_MODEL: 'm' }).model).toBeUndefined();
  expect(readConfig({ OPENAI_BASE_URL: '', CHAT_MODEL: 'm' }).model).toBeUndefined();
});

test('the configuration accepts an endpoint with its models', () => {
  const env = { OPENAI_BASE_URL: `${MODEL_URL}/`, OPENAI_API_KEY: 'k', CHAT_MODEL: 'org/model:7b' };
  expect(readConfig(env).model).toEqual({
    baseUrl: MODEL_URL,
    apiKey: 'k',
    chatModel: 'org/model:7b',
    embeddingModel: undefined,
  });
});

test.each([
  ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'example.com' }],
  ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'ftp://example.com' }],
  ['OPENAI_API_KEY', { OPENAI_BASE_URL: MODEL_URL, OPENAI_API_KEY: 'a key\n' }],
  ['CHAT_MODEL', { OPENAI_BASE_URL: MODEL_URL, CHAT_MODEL: 'two words' }],
  ['EMBEDDING_MODEL', { OPENAI_BASE_URL: MODEL_URL, EMBEDDING_MODEL: 'x'.repeat(201) }],
])(
  'the configuration refuses an invalid %s in one line that names it',
  (name, env: NodeJS.ProcessEnv) => {
    const refuse = () => readConfig(env);
    expect(refuse).toThrow(ConfigError);
    expect(refuse).toThrow(new RegExp(`^${name} takes [^\\n]+$`));
  },
);

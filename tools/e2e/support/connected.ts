import { expect } from '@playwright/test';
import { startGoogle, type Google } from '@matterdesk/server/testing/google.ts';
import { startStandInModel, type StandInModel } from '@matterdesk/server/testing/stand-in-model.ts';
import { startTwilio, type Twilio } from '@matterdesk/server/testing/twilio.ts';
import { test as base } from './fixtures.ts';

/** Users with a mailbox at Google. */
export const ACCOUNTS = Array.from({ length: 60 }, (_, at) => ({
  email: `reader${at}@firm.example`,
  name: `Reader ${at}`,
}));

type StandIns = { google: Google; twilio: Twilio; model: StandInModel };

/** A worker's product with stand-ins for every connected service. */
export const test = base.extend<object, StandIns>({
  google: [
    async ({ browserName: _any }, use) => {
      const google = await startGoogle({ users: ACCOUNTS });
      await use(google);
      await google.close();
    },
    { scope: 'worker' },
  ],
  twilio: [
    async ({ browserName: _any }, use) => {
      const twilio = await startTwilio();
      await use(twilio);
      await twilio.close();
    },
    { scope: 'worker' },
  ],
  model: [
    async ({ browserName: _any }, use) => {
      const model = await startStandInModel();
      await use(model);
      await model.stop();
    },
    { scope: 'worker' },
  ],
  environment: [
    async ({ google, twilio, model }, use) => use({ ...google.env, ...twilio.env, ...model.env }),
    { scope: 'worker' },
  ],
  matterdesk: [
    async ({ matterdesk, twilio }, use) => {
      twilio.webhookBase = matterdesk.url;
      await use(matterdesk);
      expect(twilio.violations).toEqual([]);
    },
    { scope: 'worker' },
  ],
});

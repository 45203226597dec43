import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { Mailer } from '../../integrations/smtp/mailer.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Log } from '../../log.ts';
import type { FirmService } from '../firm/service.ts';
import { DeviceService } from './devices/service.ts';
import { InvitationService } from './invitations/service.ts';
import { PasswordService } from './passwords/service.ts';
import { RegistrationService } from './registration/service.ts';
import { Post } from './service.post.ts';
import { AccountService } from './service.ts';
import { PasswordGuard } from './signing-in/service.guard.ts';
import { Codes } from './second-factors/service.codes.ts';
import { PasskeyService } from './second-factors/service.passkeys.ts';
import { SecondFactorService } from './second-factors/service.ts';
import { WebAuthn } from './second-factors/service.webauthn.ts';
import { SignInService } from './signing-in/service.ts';

type Parts = {
  config: Config;
  secretKey: string;
  db: Database;
  writer: Writer;
  queue: Queue;
  log: Log;
  firm: FirmService;
};

/** Who gets in, and how. */
export function createAccounts({ config, secretKey, db, writer, queue, log, firm }: Parts) {
  const { registration: mode, isLocal, publicUrl } = config;
  const mailer = config.mail && new Mailer(config.mail);
  const post = new Post({ queue, secretKey, mailer, log });
  const guard = new PasswordGuard(db);
  const codes = new Codes(db, secretKey);
  const accounts = new AccountService(db, writer, firm);
  const passwords = new PasswordService({ db, writer, guard, post, accounts, publicUrl });
  const shared = { db, writer, guard, accounts, passwords, codes };
  const factors = new SecondFactorService({ ...shared, post, firm });
  const webAuthn = new WebAuthn(db, secretKey, publicUrl);
  const passkeys = new PasskeyService({ ...shared, webAuthn, factors });
  const registering = { mode, isLocal, secretKey, sendsMail: post.isOn };
  return {
    accounts,
    signingIn: new SignInService({ ...shared, passkeys }),
    passwords,
    secondFactors: factors,
    passkeys,
    invitations: new InvitationService({ db, writer, post, publicUrl }),
    devices: new DeviceService(db, writer, accounts),
    post,
    registration: new RegistrationService(db, writer, registering),
  };
}

import { randomUUID } from 'node:crypto';
import { signJwt } from './google-keys.ts';

/** Where Pub/Sub calls, and what its tokens say. */
export type Subscription = { endpoint: string; audience: string };

/** A call of Pub/Sub's, ready to be made. */
export type Push = { authorization: string; body: string };

export const TOPIC = 'projects/stand-in/topics/gmail';
export const ACCOUNT = 'push@stand-in.iam.gserviceaccount.com';
const HOUR = 3600;

/** Gmail's notices of what is new, on their way through Pub/Sub. */
export class Pushes {
  /** The topics of the mailboxes that are watched. */
  readonly watched = new Map<string, string>();
  /** Absent: nobody is called. */
  subscription: Subscription | undefined;

  /** @param claims in place of what Google would say, or beside it */
  compose(change: object, claims: object = {}): Push {
    const now = Math.floor(Date.now() / 1000);
    const token = signJwt({
      iss: 'https://accounts.google.com',
      aud: this.subscription?.audience,
      azp: '113774264463038321964',
      sub: '113774264463038321964',
      email: ACCOUNT,
      email_verified: true,
      iat: now,
      exp: now + HOUR,
      ...claims,
    });
    return { authorization: `Bearer ${token}`, body: JSON.stringify(envelope(change)) };
  }

  /** Tells of a change in a mailbox that is watched. @returns the status of the answer, if anybody was called */
  async tell(email: string, historyId: bigint): Promise<number | undefined> {
    if (!this.watched.has(email) || !this.subscription) return undefined;
    // A number, although Google describes it as a text; beyond what a number holds exactly it is one here.
    return this.send(this.compose({ emailAddress: email, historyId: historyId.toString() }));
  }

  async send({ authorization, body }: Push): Promise<number> {
    const response = await fetch(this.subscription?.endpoint ?? '', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  }
}

function envelope(change: object) {
  const id = randomUUID();
  const at = new Date().toISOString();
  const data = Buffer.from(JSON.stringify(change)).toString('base64');
  return {
    message: { data, messageId: id, message_id: id, publishTime: at, publish_time: at },
    subscription: 'projects/stand-in/subscriptions/matterdesk',
  };
}

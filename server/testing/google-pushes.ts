import { randomUUID } from 'node:crypto';
import { signJwt } from './google-keys.ts';

/** Endpoint and token claims of a Pub/Sub subscription. */
export type Subscription = { endpoint: string; audience: string };

/** A prepared Pub/Sub call. */
export type Push = { authorization: string; body: string };

export const TOPIC = 'projects/stand-in/topics/gmail';
export const ACCOUNT = 'push@stand-in.iam.gserviceaccount.com';
const HOUR = 3600;

/** Gmail's change notices through Pub/Sub. */
export class Pushes {
  /** Topics by watched mailbox. */
  readonly watched = new Map<string, string>();
  /** Absent: pushes are off. */
  subscription: Subscription | undefined;

  /** @param claims override or extend Google's */
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

  /** Publishes a change of a watched mailbox. @returns the reply's status, if a call was made */
  async publish(email: string, historyId: bigint): Promise<number | undefined> {
    if (!this.watched.has(email) || !this.subscription) return undefined;
    // Google sends a number, despite its documentation; larger values would lose precision.
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

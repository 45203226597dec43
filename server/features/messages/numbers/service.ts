import { setTimeout as pause } from 'node:timers/promises';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { messageRoutes, type NumberOffer } from '@matterdesk/contract/messages.ts';
import type { Once } from '../../../core/once.ts';
import { fold } from '../../../db/search.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Actor } from '../../../core/actor.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Price, TwilioClient } from '../../../integrations/twilio/client.ts';
import { toFailure } from '../../../integrations/twilio/failure.ts';
import type { AccountService } from '../../accounts/service.ts';
import { noticeOf } from './rules.ts';
import * as rules from '../rules.ts';
import { explain, type Explanation } from '../rules.failures.ts';
import type { RegistrationService } from './service.registrations.ts';
import { refusal, type Texting } from '../service.parts.ts';
import * as store from './store.ts';

type Neighbours = { accounts: AccountService; registrations: RegistrationService };
type Purchase = { id: string; phoneNumber: string; userId: string };

/** Milliseconds between two polls for the outcome of a parallel request, and their number. */
const POLL_INTERVAL = 200;
const POLLS = 75;
const UNSETTLED = 'The purchase isn’t confirmed yet. Check again in a few minutes.';

export class NumberService {
  readonly #parts: Texting;
  readonly #neighbours: Neighbours;

  constructor(parts: Texting, neighbours: Neighbours) {
    this.#parts = parts;
    this.#neighbours = neighbours;
  }

  /** The user's own number. @throws Refusal notPermitted for any other, and without a number */
  async requireOwn(actor: Actor, phoneNumber: string): Promise<string> {
    const row = await store.findNumberOf(this.#parts.db, actor.id);
    if (row?.state !== 'owned' || row.phone_number !== phoneNumber)
      throw new Refusal('notPermitted');
    return row.phone_number;
  }

  async readNumber(actor: Actor) {
    const found = await store.findNumberOf(this.#parts.db, actor.id);
    if (found?.state !== 'owned') return { phoneNumber: null, registration: null, notice: null };
    const row = await this.#neighbours.registrations.ensure(found);
    return {
      phoneNumber: row.phone_number,
      registration: row.registration,
      notice: noticeOf(row),
    };
  }

  async listOffers(
    _actor: Actor,
    { country = 'US', areaCode }: { country?: string | undefined; areaCode?: string | undefined },
  ): Promise<{ numbers: NumberOffer[] }> {
    const code = areaCode === undefined ? undefined : Number(areaCode);
    try {
      const [found, monthlyPrice] = await Promise.all([
        this.#twilio().listOffers(country, code),
        this.#priceIn(country),
      ]);
      return {
        numbers: found.map((offer) => ({ ...offer, ...(monthlyPrice && { monthlyPrice }) })),
      };
    } catch (error) {
      const failure = toFailure(error);
      // Unknown country, or Twilio sells no numbers there.
      if (failure.code === 20404) return { numbers: [] };
      throw refusal(explain(failure), error);
    }
  }

  /** A key may lack the permission to read prices. */
  #priceIn(country: string): Promise<Price | null> {
    return this.#twilio()
      .readPrice(country)
      .catch(() => null);
  }

  /** @throws Refusal notPermitted for another's address */
  requireOwnEmail(actor: Actor, email: string): void {
    if (fold(email) !== fold(actor.email)) throw new Refusal('notPermitted');
  }

  /**
   * Buys a number. Its row is stored before calling Twilio, so that no crash loses a purchase.
   * @throws Refusal numberOwned, or numberTaken when someone else was faster
   */
  async buy(
    actor: Actor,
    { phoneNumber, email }: { phoneNumber: string; email: string },
    once?: Once,
  ): Promise<{ data: CurrentUser }> {
    this.requireOwnEmail(actor, email);
    let isFirst = false;
    const begun = await this.#parts.writer.run(
      actor,
      async (unit) => {
        isFirst = true;
        return { id: await this.#begin(unit, actor, phoneNumber) };
      },
      once,
    );
    if (isFirst) await this.#purchase(actor, begun.id, phoneNumber);
    await this.#requireOutcome(begun.id);
    return { data: await this.#neighbours.accounts.readCurrentUser(actor) };
  }

  async #begin(unit: Unit, actor: Actor, phoneNumber: string): Promise<string> {
    const id = await store.insertPurchase(unit.trx, actor.id, phoneNumber);
    if (id !== undefined) return id;
    const own = await store.findNumberOf(unit.trx, actor.id);
    if (!own) throw new Refusal('numberTaken');
    if (own.state === 'owned') throw new Refusal('numberOwned');
    throw new Refusal('conflict', UNSETTLED);
  }

  async #purchase(actor: Actor, id: string, phoneNumber: string): Promise<void> {
    const { reach, log } = this.#parts;
    try {
      const { sid } = await this.#twilio().buyNumber({
        phoneNumber,
        friendlyName: rules.markOf(id),
        smsUrl: rules.callbackUrl(reach, messageRoutes.receiveText.path),
      });
      await this.#own(actor, { id, sid, phoneNumber, userId: actor.id });
    } catch (error) {
      const failure = toFailure(error);
      log.warn({ purchase: id, kind: failure.kind, code: failure.code }, 'number not bought');
      const explanation = explain(failure);
      if (failure.isUncertain) {
        const isFound = await this.#isBought({ id, phoneNumber, userId: actor.id }).catch(
          () => false,
        );
        if (isFound) return;
        throw refusal({ ...explanation, message: UNSETTLED }, error);
      }
      await this.#fail(id, explanation);
    }
  }

  async #own(
    actor: Actor | null,
    { id, sid, phoneNumber, userId }: Purchase & { sid: string },
  ): Promise<void> {
    await this.#parts.writer.run(actor, async (unit) => {
      if (!(await store.settlePurchase(unit.trx, id, { sid, state: 'owned' }))) return;
      await this.#neighbours.accounts.emitOwner(unit, userId);
      const after = { phoneNumber };
      await unit.record({ action: 'bought', entity: 'phoneNumber', entityId: id, after });
    });
  }

  async #fail(id: string, { code, message }: Explanation): Promise<void> {
    await this.#parts.writer.run(null, async (unit) => {
      const change = { state: 'failed', refused_as: code, refusal: message } as const;
      if (!(await store.settlePurchase(unit.trx, id, change))) return;
      const after = { refusedAs: code };
      await unit.record({ action: 'notBought', entity: 'phoneNumber', entityId: id, after });
    });
  }

  /** Waits for the outcome of the first request with the same key. */
  async #requireOutcome(id: string): Promise<void> {
    for (let poll = 0; poll < POLLS; poll += 1) {
      const row = await store.findPurchase(this.#parts.db, id);
      if (row?.state === 'owned') return;
      if (row?.state !== 'buying')
        throw new Refusal(row?.refused_as ?? 'unexpected', row?.refusal ?? undefined);
      await pause(POLL_INTERVAL);
    }
    throw new Refusal('outcomeUnknown', UNSETTLED);
  }

  /** Asks Twilio about a purchase, and settles it if it was made. */
  async #isBought(purchase: Purchase): Promise<boolean> {
    const found = await this.#twilio().findNumber(purchase.phoneNumber);
    if (found?.friendlyName !== rules.markOf(purchase.id)) return false;
    await this.#own(null, { ...purchase, sid: found.sid });
    return true;
  }

  /** Asks Twilio about purchases with unknown outcomes. @param age seconds */
  async reconcile(age: number): Promise<void> {
    const { db, twilio } = this.#parts;
    if (!twilio) return;
    for (const row of await store.listPurchases(db, age)) {
      const { id, phone_number: phoneNumber } = row;
      if (await this.#isBought({ id, phoneNumber, userId: row.user_id })) continue;
      if (Date.now() - row.created_at.getTime() > rules.BUYING_LIFE * 1000)
        await this.#fail(id, {
          code: 'upstreamFailed',
          message: 'Twilio didn’t sell this number',
        });
    }
  }

  #twilio(): TwilioClient {
    if (!this.#parts.twilio) throw new Refusal('notConfigured');
    return this.#parts.twilio;
  }
}

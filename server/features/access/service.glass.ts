import { walledKinds, type Glass } from '@matterdesk/contract/access.ts';
import { allow, type Actor } from '../../core/actor.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { AccessNewsDesk } from './service.news.ts';
import { about, audienceOf, findWall, type Matter } from './service.wall.ts';
import * as named from './store.named.ts';

const WHY = 'someone who manages walls opens a matter that they do not see';

/** Shows a matter for some hours to someone who manages walls. */
export class GlassService {
  readonly #writer: Writer;
  readonly #news: AccessNewsDesk;

  constructor(writer: Writer, news: AccessNewsDesk) {
    this.#writer = writer;
    this.#news = news;
  }

  /** Lets the caller see a matter for some hours; everyone with access is notified. */
  async openAccess(actor: Actor, matter: Matter, { reason, hours }: Glass): Promise<Date> {
    allow(actor, 'manageWalls');
    return this.#writer.runAsSystem(actor, WHY, async (unit) => {
      const found = await findWall(unit.trx, actor, matter);
      const { matter: place, wall } = found;
      const opening = { userId: actor.id, reason, hours };
      const until = await named.insertOpening(unit.trx, place, opening);
      const entry = { action: 'glassOpened', people: [actor.id], reason } as const;
      await named.insertHistory(unit.trx, place, { by: actor.id, ...entry });
      const after = { reason, until: until.toISOString() };
      await unit.record({ ...about(place, 'opened'), after });
      const { id, firstName, lastName } = actor;
      const opened = { id: place.id, person: { id, firstName, lastName }, until: after.until };
      unit.emit('access.opened', opened, { audience: audienceOf([wall], 'manageWalls') });
      unit.emit('access.changed', { id: place.id }, { audience: { userIds: [id] } });
      await this.#news.report(unit, found, { type: 'opened', by: opened.person, reason, until });
      return until;
    });
  }

  /** Notifies the users whose openings have ended; their pages then close. */
  async endOpenings(): Promise<void> {
    await this.#writer.runAsSystem(null, 'openings end by themselves', async (unit) => {
      for (const kind of walledKinds)
        for (const { id, user_id: userId } of await named.takeEnded(unit.trx, kind))
          unit.emit('access.changed', { id }, { audience: { userIds: [userId] } });
    });
  }
}

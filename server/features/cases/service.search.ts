import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { type RankedTexts, rankOf, ranks } from '@matterdesk/contract/ranking.ts';
import type { Scoped } from '../../db/schema.ts';
import {
  BEYOND,
  COMMON,
  MAX_COUNTED,
  isBeyond,
  MAX_COUNT_SCAN,
  MAX_SCANNED,
  type PageReach,
  scanBudget,
  seesFew,
} from './rules.search.ts';
import type { ListedRow } from './store.listed.ts';
import * as store from './store.search.ts';
import { type CasePage, type Counts, findCases, readCounts, readSight } from './store.ts';

/** Cases of the first scan: it fills a page for a common term, and costs little for a rare one. */
const FIRST_SCAN = 500;
/** Searches whose totals are remembered, and users whose way of searching is. */
const MAX_REMEMBERED = 1000;
/** Milliseconds until it is read again how much a user sees. */
const PLAN_TTL_MS = 60_000;

type FoundCases = { rows: ListedRow[]; matches: number };
type RememberedSearch = store.CountedMatches & { reached: PageReach | undefined };
type SearchPlan = { isOwn: boolean; isAmongFew: boolean };

/** Remembers the totals of searches; users with matters of their own, or without some, have their own totals. */
export class CaseSearches {
  readonly #counted = new Map<string, RememberedSearch>();
  readonly #plans = new Map<string, SearchPlan & { until: number }>();

  async of(db: Scoped, { id }: { id: string }): Promise<CaseSearch> {
    const { isOwn, isAmongFew } = await this.#plan(db, id);
    return new CaseSearch(db, new Totals(this.#counted, id, isOwn), isAmongFew);
  }

  /** Only the way of a search depends on it: whose a total is comes with each count. */
  async #plan(db: Scoped, id: string): Promise<SearchPlan> {
    const now = Date.now();
    const known = this.#plans.get(id);
    if (known && known.until > now) return known;
    const sight = await readSight(db);
    const plan = { isOwn: sight.isOwn, isAmongFew: seesFew(sight), until: now + PLAN_TTL_MS };
    keepLast(this.#plans, id, plan);
    return plan;
  }
}

/** Finds cases from the newest on where that soon fills a page, else by the index. */
export class CaseSearch {
  readonly #db: Scoped;
  readonly #totals: Totals;
  readonly #isAmongFew: boolean;
  #reached: PageReach | undefined;

  /** @param isAmongFew for a user who sees a small part of all cases */
  constructor(db: Scoped, totals = new Totals(new Map(), '', false), isAmongFew = false) {
    this.#db = db;
    this.#totals = totals;
    this.#isAmongFew = isAmongFew;
  }

  /** One page, newest first, with the total up to the cap, or any number above it. */
  async find(filter: store.Search, page: CasePage): Promise<FoundCases> {
    if (this.#isAmongFew) {
      const { ids, matches } = await store.findAmongFew(this.#db, filter, page);
      return { rows: await this.#read(ids), matches };
    }
    this.#reached = undefined;
    const found = await this.#find(filter, page);
    this.#totals.reach(filter, this.#reached);
    return found;
  }

  async #find(filter: store.Search, page: CasePage): Promise<FoundCases> {
    const last = this.#totals.last(filter);
    if (last && isBeyond(last, page)) return this.#findBeyond(filter, page);
    const budget = last ? scanBudget(last, page) : FIRST_SCAN;
    if (budget === undefined) return this.#findByIndex(filter, page);
    const window = { ...page, budget };
    const { scan, rows } = await this.#scan(filter, window);
    const matches = await this.#count(filter, scan, window);
    if (matches === undefined) return this.#findByIndex(filter, page, rows);
    return { rows: rows ?? (await this.#findPage(filter, page, budget)), matches };
  }

  /** The best matches: those that are named so, then the newest of the others; active cases before archived ones. */
  async rank(filter: store.Search, limit: number): Promise<FoundCases> {
    const named = await findCases(this.#db, await store.findNamed(this.#db, filter, limit));
    const { rows, matches } = await this.find(filter, { limit });
    const all = new Map([...named, ...rows].map((row) => [row.id, row]));
    const placed = [...all.values()].map((row) => ({ row, place: placeOf(row, filter.search) }));
    const best = placed.toSorted((a, b) => a.place - b.place || newestFirst(a.row, b.row));
    return { rows: best.slice(0, limit).map(({ row }) => row), matches };
  }

  /** @returns `rows` if they are the page: a full one, or the last */
  async #scan(filter: store.Search, window: store.Window) {
    const scan = await store.scanNewest(this.#db, filter, window);
    const isFull = scan.length === window.limit;
    const isPage = isFull || (await this.#isLast(filter, window, scan[0]));
    const { after, limit, budget } = window;
    const place = isFull ? scan.at(-1)?.place : BEYOND;
    if (after === undefined && place !== undefined && (isFull || budget === MAX_SCANNED))
      this.#reached = { limit, place };
    return { scan, rows: isPage ? scan : undefined };
  }

  /** Whether a scan saw all cases. False is safe: then the index finds the page. */
  async #isLast(filter: store.Search, window: store.Window, first: store.ScannedRow | undefined) {
    if (!first) return false;
    if (first.cases <= window.budget) return true;
    return window.after !== undefined && !(await store.hasMore(this.#db, filter, window));
  }

  /** The total, remembered or counted from the newest case on; undefined if the index should count. */
  async #count(filter: store.Search, scan: store.ScannedRow[], { limit, budget }: store.Window) {
    const [first] = scan;
    if (!first && !this.#totals.last(filter)) return undefined;
    const counts = first ?? (await readCounts(this.#db, filter.statusType));
    const known = this.#totals.find(filter, counts);
    if (known !== undefined || !first) return known;
    const scanned = scan.length === limit ? (scan.at(-1)?.place ?? budget) : budget;
    const isCommon = scan.length / scanned >= COMMON || first.cases <= FIRST_SCAN;
    return isCommon ? this.#countCommon(filter) : undefined;
  }

  /** The page of a counted search that a scan did not find. */
  async #findPage(filter: store.Search, page: CasePage, scanned: number): Promise<ListedRow[]> {
    const counted = this.#totals.last(filter);
    const budget = counted && scanBudget(counted, page);
    if (budget !== undefined && budget > scanned) {
      const { rows } = await this.#scan(filter, { ...page, budget });
      if (rows) return rows;
    }
    if (counted && counted.matches > TOTAL_CAP) return this.#findFar(filter, page);
    return (await this.#findByIndex(filter, page)).rows;
  }

  async #countCommon(filter: store.Search): Promise<number | undefined> {
    const counted = await store.countAmong(this.#db, filter, MAX_COUNT_SCAN);
    const isWhole = counted.matches >= MAX_COUNTED || counted.cases <= MAX_COUNT_SCAN;
    if (isWhole) this.#totals.keep(filter, counted);
    return isWhole ? counted.matches : undefined;
  }

  /** A page that no scan found before. */
  async #findBeyond(filter: store.Search, page: CasePage): Promise<FoundCases> {
    const counts = await readCounts(this.#db, filter.statusType);
    const matches = this.#totals.find(filter, counts);
    if (matches === undefined) return this.#findByIndex(filter, page);
    return { rows: await this.#read(await store.findPage(this.#db, filter, page)), matches };
  }

  /** @param rows the page, if it was found before */
  async #findByIndex(
    filter: store.Search,
    page: CasePage,
    rows?: ListedRow[],
  ): Promise<FoundCases> {
    const hits = await store.findHits(this.#db, filter, page);
    this.#totals.keep(filter, hits);
    const { matches, ids } = hits;
    if (rows) return { rows, matches };
    const isWhole = matches < MAX_COUNTED;
    return { rows: isWhole ? await this.#read(ids) : await this.#findFar(filter, page), matches };
  }

  /** A page of a term that has many matches, and only few or none among the newest cases. */
  async #findFar(filter: store.Search, page: CasePage): Promise<ListedRow[]> {
    const { rows } = await this.#scan(filter, { ...page, budget: MAX_SCANNED });
    return rows ?? this.#read(await store.findPage(this.#db, filter, page));
  }

  async #read(ids: string[]): Promise<ListedRow[]> {
    return (await findCases(this.#db, ids)).toReversed();
  }
}

/** Smaller is better. */
function placeOf(row: ListedRow, search: string): number {
  const texts: RankedTexts = { names: [row.case_name, row.case_no ?? ''] };
  const rank = rankOf(texts, search) ?? 'elsewhere';
  return ranks.indexOf(rank) * 2 + (row.status_type === 'Archive' ? 1 : 0);
}

function newestFirst(a: ListedRow, b: ListedRow): number {
  return BigInt(a.serial) < BigInt(b.serial) ? 1 : -1;
}

/** Totals of searches, each as long as it is certain. */
class Totals {
  readonly #counted: Map<string, RememberedSearch>;
  readonly #userId: string;
  #isOwn: boolean;

  /** @param isOwn whether the user was last seen to see more, or less, than most users */
  constructor(counted: Map<string, RememberedSearch>, userId: string, isOwn: boolean) {
    this.#counted = counted;
    this.#userId = userId;
    this.#isOwn = isOwn;
  }

  /** The last count, which may have changed. */
  last(filter: store.Search): RememberedSearch | undefined {
    return this.#counted.get(this.#keyOf(filter));
  }

  find(filter: store.Search, { changes, isOwn }: Counts): number | undefined {
    this.#isOwn = isOwn;
    const counted = this.last(filter);
    if (!counted) return undefined;
    const drift = Math.abs(changes - counted.changes);
    // A change adds or removes one match, so the total remains above the cap.
    const isCertain = drift === 0 || counted.matches - drift > TOTAL_CAP;
    return isCertain ? counted.matches : undefined;
  }

  keep(filter: store.Search, { matches, cases, changes, isOwn }: store.CountedMatches): void {
    this.#isOwn = isOwn;
    const reached = this.last(filter)?.reached;
    // Matches beyond each scan may be among the newest since.
    const kept = reached?.place === BEYOND ? undefined : reached;
    keepLast(this.#counted, this.#keyOf(filter), { matches, cases, changes, isOwn, reached: kept });
  }

  /** Keeps how far a first page reached. */
  reach(filter: store.Search, reached: PageReach | undefined): void {
    const counted = this.last(filter);
    if (counted && reached) counted.reached = reached;
  }

  #keyOf({ statusType, search }: store.Search): string {
    return `${this.#isOwn ? this.#userId : ''} ${statusType ?? ''} ${search}`;
  }
}

function keepLast<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MAX_REMEMBERED && oldest !== undefined) kept.delete(oldest);
}

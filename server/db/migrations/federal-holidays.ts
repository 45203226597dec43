/** A day on which the federal courts are closed by law. */
export type FederalHoliday = { date: string; name: string };

const DAY = 86_400_000;
const [MONDAY, THURSDAY, SATURDAY, SUNDAY] = [1, 4, 6, 0];
const [JANUARY, FEBRUARY, MAY, JUNE, JULY] = [0, 1, 4, 5, 6];
const [SEPTEMBER, OCTOBER, NOVEMBER, DECEMBER] = [8, 9, 10, 11];
const [THIRD, FOURTH, WEEK] = [3, 4, 7];
const CHRISTMAS = 25;
const VETERANS = 11;
const JUNETEENTH = 19;
const INDEPENDENCE = 4;
/** The first year of Juneteenth: Public Law 117-17. */
const SINCE_JUNETEENTH = 2021;

/**
 * Federal holidays of a year: 5 U.S.C. 6103(a). One on a Saturday is observed on the Friday before, one on a Sunday on
 * the Monday after (6103(b), Executive Order 11582). The observed day of January 1 can lie in the year before.
 */
export function federalHolidays(year: number): FederalHoliday[] {
  return [
    ...fixed(year, [JANUARY, 1], 'New Year’s Day'),
    nth(year, [JANUARY, MONDAY, THIRD], 'Birthday of Martin Luther King, Jr.'),
    nth(year, [FEBRUARY, MONDAY, THIRD], 'Washington’s Birthday'),
    memorialDay(year),
    ...(year >= SINCE_JUNETEENTH
      ? fixed(year, [JUNE, JUNETEENTH], 'Juneteenth National Independence Day')
      : []),
    ...fixed(year, [JULY, INDEPENDENCE], 'Independence Day'),
    nth(year, [SEPTEMBER, MONDAY, 1], 'Labor Day'),
    nth(year, [OCTOBER, MONDAY, 2], 'Columbus Day'),
    ...fixed(year, [NOVEMBER, VETERANS], 'Veterans Day'),
    nth(year, [NOVEMBER, THURSDAY, FOURTH], 'Thanksgiving Day'),
    ...fixed(year, [DECEMBER, CHRISTMAS], 'Christmas Day'),
  ];
}

function fixed(year: number, [month, day]: [number, number], name: string): FederalHoliday[] {
  const time = Date.UTC(year, month, day);
  const weekday = new Date(time).getUTCDay();
  const observed = { [SATURDAY]: time - DAY, [SUNDAY]: time + DAY }[weekday];
  const holiday = { date: written(time), name };
  return observed === undefined
    ? [holiday]
    : [holiday, { date: written(observed), name: `${name} (observed)` }];
}

function nth(year: number, [month, weekday, which]: [number, number, number], name: string) {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  const day = 1 + ((weekday - first + WEEK) % WEEK) + (which - 1) * WEEK;
  return { date: written(Date.UTC(year, month, day)), name };
}

function memorialDay(year: number): FederalHoliday {
  const last = new Date(Date.UTC(year, MAY + 1, 0));
  const back = (last.getUTCDay() - MONDAY + WEEK) % WEEK;
  return { date: written(last.getTime() - back * DAY), name: 'Memorial Day' };
}

function written(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

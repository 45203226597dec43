import type { Workplace } from '../eval/workplace.ts';

/** Adds active cases 'B-1', 'B-2' …, with numbers of their clients formatted the way people write them. */
export async function plantCases({ query }: Workplace, count: number): Promise<void> {
  await query(`insert into base.cases (case_name, case_no, case_no_key, status_type, status, type, judge,
      date_of_opening, managing_attorney, doi, sol, days_open, client_name, client_phone_number,
      client_email, client_address, counsel_organization, counsel_name, counsel_phone_number,
      counsel_email, counsel_address, search_text)
    select 'Case ' || n, 'B-' || n, 'b-' || n, 'Active', 'ADR', 'PI', 'Stone', '2025-01-01', 'Hopper',
      '2025-01-01', '2027-01-01', 0, 'Client ' || n, '(212) 555-' || lpad(n::text, 4, '0'), 'a@b.example',
      'x', 'y', 'Counsel ' || n, '1 646 ' || lpad(n::text, 7, '0'), 'c@d.example', 'z', 'case ' || n
    from generate_series(1, ${count}) n`);
}

import { sql, type Kysely } from 'kysely';
import { shippedForms } from '../shipped-forms.ts';

/**
 * Intakes: what comes in before it is a matter. Read through views, as matters are (decision 28): who handles intakes sees
 * all, others what they own or entered, and a wall around an intake goes before both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createForms(db);
  await createSettings(db);
  await createIntakes(db);
  await createEntries(db);
  await createFiles(db);
  await createAccess(db);
  await createViews(db);
}

async function createForms(db: Kysely<unknown>) {
  await sql`
    create table intake_forms (
      id uuid primary key default gen_random_uuid(),
      slug text not null unique,
      name text not null,
      type text check (type in ('Civil', 'PI', 'Med-Mal')),
      intro text not null,
      fields jsonb not null,
      notice text not null,
      thanks text not null,
      origins text[] not null,
      -- People who own what comes in, in turn.
      owners uuid[] not null,
      turn int not null default 0,
      active boolean not null default false,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  // Pages that were sent, until they are too old to be sent at all.
  await sql`
    create table used_stamps (
      stamp text primary key,
      used_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index used_stamps_old on used_stamps (used_at)`.execute(db);
  for (const form of shippedForms)
    await sql`
      insert into intake_forms (slug, name, type, intro, fields, notice, thanks, origins, owners)
      values (${form.slug}, ${form.name}, ${form.type}, ${form.intro},
        ${JSON.stringify(form.fields)}::text::jsonb, 'Only our firm reads what you send.',
        'Thank you. We have what you sent, and call you back as soon as we can.', '{}', '{}')`.execute(
      db,
    );
}

async function createSettings(db: Kysely<unknown>) {
  await sql`
    create table intake_settings (
      is_single boolean primary key default true check (is_single),
      response_minutes int not null default 60,
      keep_months int not null default 24,
      sources text[] not null,
      templates jsonb not null
    )`.execute(db);
  const templates = [
    {
      name: 'We cannot take your case',
      subject: 'Your inquiry of {date}',
      text: 'Dear {name},\n\nThank you for contacting {firm} about {about}.\n\nWe have decided not to represent you, and have done nothing on your behalf. Time limits apply to claims and may run out soon: if you want to pursue this, please speak with another attorney promptly.\n\n{firm}',
    },
    {
      name: 'What we need from you',
      subject: 'Your inquiry of {date}',
      text: 'Dear {name},\n\nThank you for contacting {firm} about {about}. Please reply with the documents that you have. We do not represent you until both of us have signed an agreement.\n\n{firm}',
    },
  ];
  await sql`
    insert into intake_settings (sources, templates)
    values (array['Referral', 'Website', 'Google', 'Former client', 'Other'],
      ${JSON.stringify(templates)}::text::jsonb)`.execute(db);
}

async function createIntakes(db: Kysely<unknown>) {
  await sql`
    create table base.intakes (
      id uuid primary key default gen_random_uuid(),
      number bigint not null unique generated always as identity,
      stage text not null default 'new' check (stage in
        ('new', 'contacted', 'conflictCheck', 'consultScheduled', 'accepted', 'declined', 'referred')),
      type text check (type in ('Civil', 'PI', 'Med-Mal')),
      name text not null,
      contact_id uuid,
      phone_number text,
      phone_digits text generated always as (phone_digits(phone_number)) stored,
      email text,
      address text,
      parties jsonb not null default '[]',
      description text not null,
      doi date,
      sol date,
      source text,
      form_id uuid references intake_forms (id),
      -- What the form asked, and what was answered.
      answers jsonb not null default '[]',
      owner_id uuid references users (id),
      entered_by uuid references users (id),
      next_step text not null,
      due_at timestamptz(3),
      response_due_at timestamptz(3) not null,
      consult_at timestamptz(3),
      received_at timestamptz(3) not null default clock_timestamp(),
      first_response_at timestamptz(3),
      closed_at timestamptz(3),
      reason text,
      reason_note text,
      referred_to uuid,
      case_id uuid references base.cases (id),
      text_consent jsonb,
      is_spam boolean not null default false,
      erased_at timestamptz(3),
      search_text text not null,
      access text not null default 'open' check (access in ('open', 'restricted')),
      is_walled boolean not null default false,
      access_updated_at timestamptz(3) not null default clock_timestamp(),
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`
    create index intakes_due on base.intakes (coalesce(due_at, 'infinity'), number desc)
      where not is_spam`.execute(db);
  await sql`create index intakes_of_email on base.intakes (lower(email)) where email is not null`.execute(
    db,
  );
  await sql`
    create index intakes_of_phone on base.intakes (phone_digits) where phone_digits is not null`.execute(
    db,
  );
  await sql`create index intakes_of_case on base.intakes (case_id) where case_id is not null`.execute(
    db,
  );
}

async function createEntries(db: Kysely<unknown>) {
  await sql`
    create table base.intake_entries (
      id bigint generated always as identity primary key,
      intake_id uuid not null references base.intakes (id) on delete cascade,
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      kind text not null,
      text text,
      -- Mails and texts are shown to their owner alone.
      is_own boolean not null default false
    )`.execute(db);
  await sql`create index intake_entries_of_intake on base.intake_entries (intake_id, id desc)`.execute(
    db,
  );
}

async function createFiles(db: Kysely<unknown>) {
  await sql`
    create table base.intake_files (
      id uuid primary key default gen_random_uuid(),
      intake_id uuid not null references base.intakes (id),
      name text not null,
      name_key text not null,
      size bigint not null,
      mime_type text not null,
      sha256 bytea not null,
      blob_key text not null unique,
      -- Null for what came with a form.
      uploaded_by uuid references users (id),
      created_at timestamptz(3) not null default clock_timestamp(),
      unique (intake_id, name_key)
    )`.execute(db);
  await sql`
    create function count_intake_file() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' then insert into storage_use values (old.uploaded_by, -old.size, 0);
      else insert into storage_use values (new.uploaded_by, new.size, 0);
      end if;
      perform fold_storage_use();
      return null;
    end $$`.execute(db);
  await sql`
    create trigger intake_files_count after insert or delete on base.intake_files
      for each row execute function count_intake_file()`.execute(db);
}

async function createAccess(db: Kysely<unknown>) {
  await sql`
    create table base.intake_access (
      intake_id uuid not null references base.intakes (id) on delete cascade,
      user_id uuid not null references users (id),
      kind text not null check (kind in ('added', 'screened', 'opened')),
      reason text not null default '',
      by_id uuid references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      until timestamptz(3),
      primary key (intake_id, user_id, kind)
    )`.execute(db);
  await sql`
    create index intake_access_ending on base.intake_access (until) where until is not null`.execute(
    db,
  );
  await sql`
    create table base.intake_access_history (
      id bigint generated always as identity primary key,
      intake_id uuid not null references base.intakes (id) on delete cascade,
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      action text not null check (action in ('opened', 'restricted', 'changed', 'glassOpened')),
      people uuid[] not null,
      reason text not null
    )`.execute(db);
}

async function createViews(db: Kysely<unknown>) {
  await sql`
    create function base.handles_intakes() returns boolean language sql stable parallel safe as $$
      select exists (select from users u where u.id = base.actor()
        and (u.role = 'admin' or (u.permissions->>'handleIntakes')::boolean))
    $$`.execute(db);
  // An owner is what an assigned user is to a case. A write may hide the row from its author, who hands it on.
  await sql`
    create view intakes as select t.* from base.intakes t
      where (select base.actor()) is not null and (
        (select base.actor()) = '00000000-0000-0000-0000-000000000000'
        or (t.access = 'open' and (t.owner_id = (select base.actor())
            or t.entered_by = (select base.actor()) or (select base.handles_intakes()))
          or t.is_walled and (t.owner_id = (select base.actor()) or exists (
            select from base.intake_access a
            where a.intake_id = t.id and a.user_id = (select base.actor())
              and (a.kind = 'added' or a.kind = 'opened' and a.until > statement_timestamp()))))
        and not (t.is_walled and exists (
          select from base.intake_access a where a.intake_id = t.id
            and a.user_id = (select base.actor()) and a.kind = 'screened')))`.execute(db);
  for (const table of ['intake_entries', 'intake_files', 'intake_access', 'intake_access_history'])
    await sql`
      create view ${sql.id(table)} as select t.* from base.${sql.id(table)} t
        where exists (select from intakes i where i.id = t.intake_id)`.execute(db);
}

import { sql, type RawBuilder } from 'kysely';

/**
 * Intakes: what comes in before it is a matter. Who handles intakes sees all, others what they own or entered, and a wall
 * around an intake goes before both.
 */
export const intakes: RawBuilder<unknown>[] = [
  sql`
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
      -- Questions of the form and their answers.
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
    )`,
  sql`
    create index intakes_due on base.intakes (coalesce(due_at, 'infinity'), number desc)
      where not is_spam`,
  sql`create index intakes_of_email on base.intakes (lower(email)) where email is not null`,
  sql`
    create index intakes_of_phone on base.intakes (phone_digits) where phone_digits is not null`,
  sql`create index intakes_of_case on base.intakes (case_id) where case_id is not null`,
  sql`create index intakes_of_owner on base.intakes (owner_id)`,
  sql`create index intakes_of_contact on base.intakes (contact_id) where contact_id is not null`,
  sql`create index intakes_referred on base.intakes (referred_to) where referred_to is not null`,
  sql`create index intakes_walled on base.intakes (number desc) where is_walled`,
  // Without the salt, the seal over a short text does not give away the text.
  sql`
    create table base.intake_entries (
      id bigint generated always as identity primary key,
      intake_id uuid not null references base.intakes (id),
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      kind text not null,
      text text,
      -- Mails and texts are shown to their owner alone.
      is_own boolean not null default false,
      salt uuid default gen_random_uuid()
    )`,
  sql`create index intake_entries_of_intake on base.intake_entries (intake_id, id desc)`,
  sql`
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
    )`,
  sql`
    create function count_intake_file() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' then insert into storage_use values (old.uploaded_by, -old.size, 0);
      else insert into storage_use values (new.uploaded_by, new.size, 0);
      end if;
      perform fold_storage_use();
      return null;
    end $$`,
  sql`
    create trigger intake_files_count after insert or delete on base.intake_files
      for each row execute function count_intake_file()`,
  sql`
    create table base.intake_access (
      intake_id uuid not null references base.intakes (id) on delete cascade,
      user_id uuid not null references users (id),
      kind text not null check (kind in ('added', 'screened', 'opened', 'paused')),
      reason text not null default '',
      by_id uuid references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      until timestamptz(3),
      primary key (intake_id, user_id, kind)
    )`,
  sql`create index intake_access_of_user on base.intake_access (user_id)`,
  sql`
    create index intake_access_ending on base.intake_access (until) where until is not null`,
  sql`
    create table base.intake_access_history (
      id bigint generated always as identity primary key,
      intake_id uuid not null references base.intakes (id),
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      action text not null check (action in ('opened', 'restricted', 'changed', 'glassOpened',
        'paused')),
      people uuid[] not null,
      reason text not null,
      salt uuid default gen_random_uuid(),
      -- Hash of an erased reason, so that the rest of the entry still fits its seal.
      reason_hash bytea
    )`,
  sql`
    create index intake_access_history_of_intake on base.intake_access_history (intake_id, id desc)`,
  sql`
    create table intake_origins (
      user_id uuid not null references users (id) on delete cascade,
      origin text not null,
      intake_id uuid not null references base.intakes (id) on delete cascade,
      primary key (user_id, origin)
    )`,
  sql`create index intake_origins_of_intake on intake_origins (intake_id)`,
  ...views(),
  ...erasures(),
];

/** Both for the reader of the views and for any user. */
function seenBy(who: RawBuilder<unknown>, handles: RawBuilder<unknown>): RawBuilder<unknown> {
  const named = (kind: string) => sql`exists (
    select from base.intake_access a
    where a.intake_id = t.id and a.user_id = ${who} and a.kind = ${sql.lit(kind)})`;
  return sql`(
    (t.access = 'open' and (t.owner_id = ${who} or t.entered_by = ${who} or ${handles})
      or t.is_walled and (t.owner_id = ${who} or ${named('added')})
        and not (t.access = 'restricted' and ${named('paused')})
      or t.is_walled and exists (
        select from base.intake_access a where a.intake_id = t.id and a.user_id = ${who}
          and a.kind = 'opened' and a.until > statement_timestamp()))
    and not (t.is_walled and ${named('screened')}))`;
}

/** The people of a restricted intake see it unless they are paused; an opening counts for its time. */
function views(): RawBuilder<unknown>[] {
  const handles = sql`(select base.handles_intakes())`;
  return [
    sql`
    create function base.handles_intakes() returns boolean language sql stable parallel safe as $$
      select exists (select from users u where u.id = base.actor()
        and (u.role = 'admin' or (u.permissions->>'handleIntakes')::boolean))
    $$`,
    // An owner is what an assigned user is to a case. A write may hide the row from its author, who hands it on.
    sql`
    create view intakes as select t.* from base.intakes t
      where (select base.actor()) is not null and (
        (select base.actor()) = '00000000-0000-0000-0000-000000000000'
        or ${seenBy(sql`(select base.actor())`, handles)})`,
    // The rule of the view, for any user.
    sql`
    create function base.sees_intake(who uuid, what uuid) returns boolean language sql stable as $$
      select what is null or exists (select from base.intakes t where t.id = what and ${seenBy(
        sql`who`,
        sql`exists (select from users u where u.id = who
          and (u.role = 'admin' or (u.permissions->>'handleIntakes')::boolean))`,
      )})
    $$`,
    viewOfIntakes('intake_entries', 't.id, t.intake_id, t.at, t.by_id, t.kind, t.text, t.is_own'),
    viewOfIntakes('intake_files', 't.*'),
    viewOfIntakes('intake_access', 't.*'),
    viewOfIntakes(
      'intake_access_history',
      't.id, t.intake_id, t.at, t.by_id, t.action, t.people, t.reason',
    ),
  ];
}

function viewOfIntakes(table: string, columns: string): RawBuilder<unknown> {
  return sql`
    create view ${sql.id(table)} as select ${sql.raw(columns)} from base.${sql.id(table)} t
      where exists (select from intakes i where i.id = t.intake_id)`;
}

/** Records of erasures, which outlive the erased entries (decision 53). */
function erasures(): RawBuilder<unknown>[] {
  return [
    sql`
    create table base.intake_erasures (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default clock_timestamp(),
      intake_id uuid not null,
      -- Ids of the erased activity, and of the access history that lost its reasons or was deleted.
      entries int8multirange not null,
      walls int8multirange not null
    )`,
    sql`create index intake_erasures_of_intake on base.intake_erasures (intake_id)`,
    ...['entries', 'walls'].map(
      (column) => sql`
      create index ${sql.id(`intake_erasures_by_${column}`)}
        on base.intake_erasures using gist (${sql.id(column)})`,
    ),
    // Whatever a role may do: no row leaves without its record.
    sql`
    create function base.keep_unless_erased() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        if tg_table_name = 'intake_entries' then
          if tg_op = 'DELETE' and exists (select from base.intake_erasures e
              where e.intake_id = old.intake_id and e.entries @> old.id) then return old; end if;
        elsif exists (select from base.intake_erasures e
            where e.intake_id = old.intake_id and e.walls @> old.id) then
          if tg_op = 'DELETE' then return old; end if;
          if new.reason = '' and new.salt is null
            and new.reason_hash = sha256(convert_to(old.salt::text || old.reason, 'UTF8'))
            and to_jsonb(new) - '{reason,salt,reason_hash}'::text[]
              = to_jsonb(old) - '{reason,salt,reason_hash}'::text[] then return new; end if;
        end if;
        raise exception '% is append-only', tg_table_name;
      end $$`,
    // All or nothing of one intake: with its owner's rights, since the application has none.
    sql`
    create function base.erase_history_of_intake(intake uuid, wholly boolean) returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        insert into base.intake_erasures (intake_id, entries, walls) values (intake,
          coalesce((select range_agg(int8range(e.id, e.id, '[]')) from base.intake_entries e
            where e.intake_id = intake), '{}'),
          coalesce((select range_agg(int8range(h.id, h.id, '[]')) from base.intake_access_history h
            where h.intake_id = intake and (wholly or h.salt is not null)), '{}'));
        delete from base.intake_entries e where e.intake_id = intake;
        if wholly then
          delete from base.intake_access_history h where h.intake_id = intake;
        else
          update base.intake_access_history h set reason = '', salt = null,
              reason_hash = sha256(convert_to(h.salt::text || h.reason, 'UTF8'))
            where h.intake_id = intake and h.salt is not null;
        end if;
      end $$`,
  ];
}

type Field = { key: string; label: string; kind: string };
const field = (own: Field & Record<string, unknown>) => ({
  required: false,
  options: [],
  help: '',
  showIf: null,
  maps: null,
  ...own,
});
// Names come before the story, so that the firm learns no more than it must before it has looked for conflicts.
const asker = [
  field({ key: 'name', label: 'Your name', kind: 'line', required: true, maps: 'name' }),
  field({ key: 'phone', label: 'Phone', kind: 'phone', maps: 'phoneNumber' }),
  field({
    key: 'email',
    label: 'Email',
    kind: 'email',
    maps: 'email',
    help: 'Phone or email: one is enough.',
  }),
];
const other = (label: string) =>
  field({ key: 'other', label, kind: 'line', maps: 'opposingParty' });
const story = field({
  key: 'story',
  label: 'What happened?',
  kind: 'paragraphs',
  required: true,
  maps: 'description',
});
const date = field({ key: 'date', label: 'Date', kind: 'date', maps: 'DOI' });
const treated = [
  field({ key: 'treated', label: 'Did a doctor treat you?', kind: 'yesNo' }),
  field({
    key: 'where',
    label: 'Which doctor or hospital?',
    kind: 'line',
    maps: 'provider',
    showIf: { key: 'treated', equals: 'Yes' },
  }),
];
/** The public forms that a new installation has, switched off. */
const shippedForms = [
  {
    slug: 'civil',
    name: 'Civil',
    type: 'Civil',
    intro: 'Tell us who is involved and what it is about. It takes about three minutes.',
    fields: [
      ...asker,
      other('Who is on the other side?'),
      field({
        key: 'kind',
        label: 'What is it about?',
        kind: 'choice',
        options: ['Contract', 'Home or land', 'Business', 'Employment', 'Something else'],
      }),
      date,
      story,
      field({ key: 'papers', label: 'Papers', kind: 'file', help: 'Up to five files.' }),
    ],
  },
  {
    slug: 'personal-injury',
    name: 'Personal injury',
    type: 'PI',
    intro: 'Tell us what happened. It takes about three minutes.',
    fields: [
      ...asker,
      field({
        key: 'kind',
        label: 'Kind of accident',
        kind: 'choice',
        options: ['Car or truck', 'Fall', 'Work', 'Dog bite', 'Something else'],
      }),
      date,
      other('Who else was involved?'),
      story,
      ...treated,
      field({ key: 'insurer', label: 'Insurance company', kind: 'line', maps: 'insurer' }),
      field({ key: 'photos', label: 'Photos', kind: 'file', help: 'Up to five files.' }),
    ],
  },
  {
    slug: 'medical-malpractice',
    name: 'Medical malpractice',
    type: 'Med-Mal',
    intro: 'Tell us who treated you and what happened. It takes about three minutes.',
    fields: [
      ...asker,
      field({ key: 'own', label: 'Were you the patient?', kind: 'yesNo' }),
      field({
        key: 'patient',
        label: 'Who was the patient?',
        kind: 'line',
        showIf: { key: 'own', equals: 'No' },
      }),
      other('Which doctor or hospital?'),
      date,
      story,
      field({ key: 'records', label: 'Records', kind: 'file', help: 'Up to five files.' }),
    ],
  },
];

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

/** Public forms of intakes, and the settings of what they bring. */
export const intakeForms: RawBuilder<unknown>[] = [
  sql`
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
    )`,
  // Pages that were sent, until they are too old to be sent at all.
  sql`
    create table used_stamps (
      stamp text primary key,
      used_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index used_stamps_old on used_stamps (used_at)`,
  ...shippedForms.map(
    (form) => sql`
      insert into intake_forms (slug, name, type, intro, fields, notice, thanks, origins, owners)
      values (${form.slug}, ${form.name}, ${form.type}, ${form.intro},
        ${JSON.stringify(form.fields)}::text::jsonb, 'Only our firm reads what you send.',
        'Thank you. We have what you sent, and call you back as soon as we can.', '{}', '{}')`,
  ),
  sql`
    create table intake_settings (
      is_single boolean primary key default true check (is_single),
      response_minutes int not null default 60,
      keep_months int not null default 24,
      sources text[] not null,
      templates jsonb not null
    )`,
  sql`
    insert into intake_settings (sources, templates)
    values (array['Referral', 'Website', 'Google', 'Former client', 'Other'],
      ${JSON.stringify(templates)}::text::jsonb)`,
];

import { type Kysely, sql } from 'kysely';

/**
 * Papers that arrived and are in no matter yet. While one is in the tray, or dismissed, its bytes are its own, and count in
 * the storage of who sent it in; once it is filed they are its file's, and `blob_key` says which bytes those are.
 */
const statements = [
  sql`
    create table tray_items (
      id uuid primary key default gen_random_uuid(),
      source text not null check (source in ('upload', 'scan')),
      at timestamptz(3) not null default clock_timestamp(),
      -- Null for a scan.
      owner_id uuid references users (id),
      name text not null,
      size bigint not null,
      mime_type text not null,
      sha256 bytea not null,
      blob_key text not null,
      state text not null default 'open' check (state in ('open', 'filed', 'dismissed')),
      closed_at timestamptz(3),
      closed_by uuid references users (id),
      -- Null once its file is removed for good.
      file_id uuid references base.files (id) on delete set null,
      check ((state = 'open') = (closed_at is null)),
      check ((state = 'open') = (closed_by is null))
    )`,
  sql`create index tray_items_open on tray_items (at, id) where state = 'open'`,
  sql`create index tray_items_of_owner on tray_items (owner_id, at, id) where state = 'open'`,
  sql`create index tray_items_closed on tray_items (closed_at) where state <> 'open'`,
  sql`create index tray_items_of_file on tray_items (file_id) where file_id is not null`,
  sql`create index files_of_content on base.files (sha256) where deleted_at is null`,
  sql`
    create function count_tray_item() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' and old.state <> 'filed' then
        insert into storage_use values (old.owner_id, -old.size, 0);
      end if;
      if tg_op <> 'DELETE' and new.state <> 'filed' then
        insert into storage_use values (new.owner_id, new.size, 0);
      end if;
      perform fold_storage_use();
      return null;
    end $$`,
  sql`
    create trigger tray_items_count after insert or delete or update of state on tray_items
      for each row execute function count_tray_item()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

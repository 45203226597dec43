import { sql, type Kysely } from 'kysely';

/**
 * Stored bytes of each user, kept by the transaction that changes them, as the counts of cases are: each statement
 * adds a row, and now and then one replaces the rows that it sees with their sums. A text to no one's number has no user.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table storage_use (
      user_id uuid,
      files bigint not null,
      -- Deleted files that can be restored.
      trash bigint not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`.execute(db);
  await sql`alter table pending_blobs add column reserved bigint not null default 0`.execute(db);
  await sql`create index pending_blobs_reserved on pending_blobs (reserved) where reserved > 0`.execute(
    db,
  );
  await sql`create index mail_uploads_unfinished on mail_uploads (size) where not is_whole`.execute(
    db,
  );
  await countFiles(db);
  await countUploads(db);
  await countMedia(db);
  // The triggers lock out other writers until the commit.
  await sql`
    insert into storage_use
      select uploaded_by, ${filesIn}, ${trashIn} from base.files group by uploaded_by
      union all select user_id, sum(size), 0 from mail_uploads group by user_id
      union all select m.owner_id, sum(t.size), 0 from text_media t
        join text_messages m on m.id = t.message_id where t.size > 0 group by m.owner_id`.execute(
    db,
  );
}

const filesIn = sql`coalesce(sum(size) filter (where deleted_at is null), 0)`;
const trashIn = sql`coalesce(sum(size) filter (where deleted_at is not null), 0)`;

async function countFiles(db: Kysely<unknown>) {
  await sql`
    create function fold_storage_use() returns void language plpgsql as $$ begin
      if random() > 0.02 then return; end if;
      with folded as (
        delete from storage_use
        where ctid = any (array(select ctid from storage_use for update skip locked))
        returning *)
      insert into storage_use
        select user_id, sum(files), sum(trash) from folded group by user_id;
    end $$`.execute(db);
  await sql`
    create function count_added_files() returns trigger language plpgsql as $$ begin
      insert into storage_use
        select uploaded_by, ${filesIn}, ${trashIn} from added group by uploaded_by;
      perform fold_storage_use();
      return null;
    end $$`.execute(db);
  await sql`
    create function count_removed_files() returns trigger language plpgsql as $$ begin
      insert into storage_use
        select uploaded_by, -${filesIn}, -${trashIn} from removed group by uploaded_by;
      return null;
    end $$`.execute(db);
  await sql`
    create function count_moved_file() returns trigger language plpgsql as $$
      declare bytes bigint := case when new.deleted_at is null then new.size else -new.size end;
      begin
        insert into storage_use values (new.uploaded_by, bytes, -bytes);
        perform fold_storage_use();
        return null;
      end $$`.execute(db);
  await sql`
    create trigger files_count_added after insert on base.files referencing new table as added
      for each statement execute function count_added_files()`.execute(db);
  await sql`
    create trigger files_count_removed after delete on base.files referencing old table as removed
      for each statement execute function count_removed_files()`.execute(db);
  await sql`
    create trigger files_count_moved after update of deleted_at on base.files
      for each row when ((old.deleted_at is null) <> (new.deleted_at is null))
      execute function count_moved_file()`.execute(db);
}

/** Attachments of mails that are being written: from their beginning, with the bytes that they may bring. */
async function countUploads(db: Kysely<unknown>) {
  await sql`
    create function count_mail_upload() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' then insert into storage_use values (old.user_id, -old.size, 0); end if;
      if tg_op <> 'DELETE' then insert into storage_use values (new.user_id, new.size, 0); end if;
      perform fold_storage_use();
      return null;
    end $$`.execute(db);
  await sql`
    create trigger mail_uploads_count after insert or delete or update of size on mail_uploads
      for each row execute function count_mail_upload()`.execute(db);
}

async function countMedia(db: Kysely<unknown>) {
  await sql`
    create function count_text_media() returns trigger language plpgsql as $$ begin
      insert into storage_use
        select owner_id, coalesce(new.size, 0) - coalesce(old.size, 0), 0 from text_messages
        where id = new.message_id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger text_media_count after update of size on text_media
      for each row when (old.size is distinct from new.size)
      execute function count_text_media()`.execute(db);
}

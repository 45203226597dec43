import type { ColumnType, Generated } from 'kysely';
import type { LeftOut, Pack } from '@matterdesk/contract/packs.ts';
import type { Json, Stamp } from './schema-columns.ts';

/** A volume with the key of its bytes. */
export type PackedVolume = Pack['volumes'][number] & { key: string };

type PacksTable = {
  id: Generated<string>;
  case_id: string;
  /** From 1 within the matter. */
  n: number;
  by_id: string;
  at: Stamp;
  state: Generated<Pack['state']>;
  parts: Json<Pack['parts']>;
  left_out: Json<LeftOut>;
  volumes: ColumnType<PackedVolume[], string | undefined, string>;
  files: number;
  /** A bigint is read as text. */
  bytes: ColumnType<string, number, number>;
  manifest_sha256: Buffer | null;
  expires_at: Date | null;
  error: string | null;
};

/** Data of matters. */
export type PackTables = { packs: PacksTable };

/** Data of the firm. */
export type PackUseTables = {
  /** Bytes of all packs; one row. */
  pack_use: { ready: number; under_way: number };
};

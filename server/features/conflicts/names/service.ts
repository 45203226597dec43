import { replaceNames } from '../../../db/names.ts';
import type { Transaction } from '../../../db/schema.ts';
import { toRows, type Named } from './rules.ts';

export {
  namesOfAddress,
  namesOfCase,
  namesOfContact,
  namesOfFile,
  namesOfIntake,
  namesOfSource,
  namesOfUser,
} from './rules.ts';

/** More names at a time would be one statement of megabytes. */
const PIECE = 500;

/**
 * Keeps what conflict checks find of each source, in the transaction that writes it: its names replace the former ones.
 * New and changed names are compared with all others within a minute.
 * @param all with the id of the row that the names come from: a contact's, an intake's, a party's
 * @param isChecked for names that were there before: they raise no alert
 */
export async function saveNames(trx: Transaction, all: Named[], isChecked = false): Promise<void> {
  for (let start = 0; start < all.length; start += PIECE)
    await replaceNames(trx, toRows(all.slice(start, start + PIECE), isChecked));
}

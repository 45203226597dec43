/** Bytes of a file's name, as file systems count them. */
export const MAX_FILE_NAME_BYTES = 255;

/** A name that file systems take: '…' stands for the end of a stem that is too long; its ending stays. */
export function fitFileName(stem: string, ending: string, most = MAX_FILE_NAME_BYTES): string {
  if (Buffer.byteLength(stem + ending) <= most) return stem + ending;
  const signs = [...stem];
  let bytes = Buffer.byteLength(`…${ending}`);
  const end = signs.findIndex((sign) => (bytes += Buffer.byteLength(sign)) > most);
  return `${signs.slice(0, end).join('').trimEnd()}…${ending}`;
}

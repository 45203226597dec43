/** Whether a file or folder is hidden metadata of an operating system or office program. */
export function isSystemFile(name: string): boolean {
  return /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|~\$.*|__MACOSX)$/i.test(name);
}

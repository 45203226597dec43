/** Hands bytes to the browser as a file to be saved under a name. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the bytes only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

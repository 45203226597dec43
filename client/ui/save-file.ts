/** Has the browser save a blob as a file. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the blob only after handling the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

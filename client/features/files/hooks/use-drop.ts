import { type DragEvent, useEffect, useState } from 'react';
import { isSystemFile } from '../../../core/system-file.ts';
import { MAX_DEPTH, type DroppedFiles, MAX_ADDED, nothingDropped } from '../rules.dropped.ts';

/** Accepts files and directories dropped on an element; the innermost target wins. */
export function useDrop(onDropped: (dropped: DroppedFiles) => void) {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setIsOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      const to = event.relatedTarget;
      if (!(to instanceof Node) || !event.currentTarget.contains(to)) setIsOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setIsOver(false);
      void readDropped(event.dataTransfer).then(onDropped);
    },
  };
}

/** Without this, a file dropped outside its target would replace the page. */
export function useStayOnPage(): void {
  useEffect(() => {
    const left = new AbortController();
    for (const name of ['dragover', 'drop'] as const)
      addEventListener(
        name,
        (event) => {
          const { dataTransfer, defaultPrevented } = event;
          if (defaultPrevented || !dataTransfer || !carriesFiles({ dataTransfer })) return;
          event.preventDefault();
          dataTransfer.dropEffect = 'none';
        },
        { signal: left.signal },
      );
    return () => left.abort();
  }, []);
}

function carriesFiles({ dataTransfer }: { dataTransfer: DataTransfer }): boolean {
  return dataTransfer.types.includes('Files');
}

async function readDropped({ items }: DataTransfer): Promise<DroppedFiles> {
  const dropped = nothingDropped();
  // Synchronously, because the browser clears the dropped items after the event.
  const things = [...items].flatMap((item) => {
    const entry = item.webkitGetAsEntry();
    if (entry?.isDirectory) return entry as FileSystemDirectoryEntry;
    return item.getAsFile() ?? [];
  });
  for (const thing of things)
    if (thing instanceof File) put(dropped, thing, []);
    else await readDirectory(dropped, thing, [thing.name]);
  return dropped;
}

/** Stops one above the limit, which is enough to detect an excess. */
async function readDirectory(
  dropped: DroppedFiles,
  directory: FileSystemDirectoryEntry,
  way: readonly string[],
): Promise<void> {
  if (isSystemFile(directory.name)) return;
  if (way.length > MAX_DEPTH) {
    dropped.unreadable += 1;
    return;
  }
  const reader = directory.createReader();
  // A browser returns up to a hundred entries at a time, and none at the end.
  for (let some = await next(reader); some.length > 0; some = await next(reader))
    for (const entry of some) {
      if (dropped.found.length > MAX_ADDED) return;
      if (entry.isDirectory)
        await readDirectory(dropped, entry as FileSystemDirectoryEntry, [...way, entry.name]);
      else put(dropped, await fileOf(entry as FileSystemFileEntry), way);
    }
}

function put(dropped: DroppedFiles, file: File | null, way: readonly string[]): void {
  if (file === null) dropped.unreadable += 1;
  else if (isSystemFile(file.name)) dropped.leftOut += 1;
  else dropped.found.push({ file, way });
}

function next(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
}

function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(null)));
}

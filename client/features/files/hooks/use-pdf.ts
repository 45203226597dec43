import {
  getDocument,
  GlobalWorkerOptions,
  PasswordResponses,
  type PDFDocumentProxy,
  PDFWorker,
  ResponseException,
} from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { sessionHeaders } from '../../../api.ts';
import { contentOf, type FileAt } from '../rules.preview.ts';
import { createWatchdog, type Watchdog } from '../rules.watchdog.ts';

/** The address of the engine's assets: see vite.config.ts. */
declare const PDF_PARTS: string;

GlobalWorkerOptions.workerSrc = `${PDF_PARTS}/build/pdf.worker.min.mjs`;

/** Bytes per range request. */
const PART = 262_144;

/** Maximum pixels of an embedded image; larger ones are left out. */
const MAX_IMAGE_PIXELS = 150_000_000;
/** Maximum bytes of a decoded image; larger ones are scaled down. */
const MAX_IMAGE_BYTES = 134_217_728;
/** Milliseconds before the engine is terminated. */
const END_TIMEOUT_MS = 2000;

/** In points. */
export type PageSize = { width: number; height: number };
export type Pdf = {
  document: PDFDocumentProxy;
  /** The size of the first page. */
  size: PageSize;
  watch: Watchdog;
};
/** A locked document; `isWrong` after a wrong password. */
export type PasswordPrompt = { isWrong: boolean; open: (password: string) => void };

/** Opens a PDF, whose pages are fetched on demand. */
export function usePdf(at: FileAt) {
  const url = contentOf(at);
  const [pdf, setPdf] = useState<Pdf | null>(null);
  const [locked, setLocked] = useState<PasswordPrompt | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isStuck, setIsStuck] = useState(false);
  useEffect(() => {
    let isCanceled = false;
    // A worker per document can be terminated at any point.
    const worker = new PDFWorker({ verbosity: 0 });
    const watch = createWatchdog(() => {
      worker.destroy();
      setIsStuck(true);
    });
    const task = startReading(url, worker);
    task.onProgress = watch.alive;
    task.onPassword = (submit: (password: string) => void, reason: number) => {
      watch.rest(true);
      const open = (password: string) => {
        watch.rest(false);
        submit(password);
      };
      if (!isCanceled)
        setLocked({ isWrong: reason === PasswordResponses.INCORRECT_PASSWORD, open });
    };
    const read = async () => {
      try {
        const document = await watch.over(task.promise);
        const first = await watch.over(document.getPage(1));
        const { width, height } = first.getViewport({ scale: 1 });
        if (isCanceled) return;
        setLocked(null);
        setPdf({ document, size: { width, height }, watch });
      } catch (error) {
        if (!isCanceled) setFailure(inWords(error));
      }
    };
    void read();
    return () => {
      isCanceled = true;
      watch.stop();
      void task.destroy();
      setTimeout(() => worker.destroy(), END_TIMEOUT_MS);
    };
  }, [url]);
  return { pdf, locked, failure, isStuck };
}

function startReading(url: string, worker: PDFWorker) {
  return getDocument({
    worker,
    url,
    httpHeaders: Object.fromEntries(sessionHeaders()),
    rangeChunkSize: PART,
    disableStream: true,
    disableAutoFetch: true,
    cMapUrl: `${PDF_PARTS}/cmaps/`,
    standardFontDataUrl: `${PDF_PARTS}/standard_fonts/`,
    wasmUrl: `${PDF_PARTS}/wasm/`,
    useWasm: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    canvasMaxAreaInBytes: MAX_IMAGE_BYTES,
    verbosity: 0,
  });
}

function inWords(error: unknown): string {
  if (!(error instanceof ResponseException)) return 'It seems to be damaged.';
  return error.status === 0
    ? 'Can’t reach Matterdesk. Check your connection.'
    : 'The server didn’t send it.';
}

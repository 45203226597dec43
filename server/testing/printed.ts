import { extractText, getDocumentProxy } from 'unpdf';

/** Texts of the pages of a PDF. */
export async function pagesOf(reply: Response): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await reply.arrayBuffer()));
  return (await extractText(pdf)).text;
}

export async function textOf(reply: Response): Promise<string> {
  return (await pagesOf(reply)).join('\n');
}

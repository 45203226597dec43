import http from 'node:http';

export type HttpReply = { status: number; headers: http.IncomingHttpHeaders; body: Buffer };

export type HttpRequest = {
  method?: string;
  path: string;
  token?: string | undefined;
  /** A session of another product. */
  bearer?: string | undefined;
  json?: object;
  /** Sent verbatim with this type. */
  raw?: { type: string; bytes: Buffer };
  /** Asks as a browser on another machine does, whose replies are compressed. */
  isRemote?: boolean;
};

/** One keep-alive connection per client, like browsers. */
export class HttpClient {
  readonly #port: number;
  readonly #agent: http.Agent;
  readonly #tokens: string[];
  #asked = 0;

  /** @param tokens of the sessions that take turns where a request names none */
  constructor(port: number, clients: number, tokens: string[] = []) {
    this.#port = port;
    this.#tokens = tokens;
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  }

  /** @throws Error unless the reply is a success */
  async ask(wanted: HttpRequest): Promise<HttpReply> {
    const answer = await this.#send(wanted);
    if (answer.status < 300) return answer;
    const said = answer.body.toString('utf8').slice(0, 300);
    throw new Error(`${wanted.method ?? 'GET'} ${wanted.path} answered ${answer.status}: ${said}`);
  }

  /** The envelope's `body`. */
  async askJson<T>(wanted: HttpRequest): Promise<T> {
    const { body } = await this.ask(wanted);
    return (JSON.parse(body.toString('utf8')) as { body: T }).body;
  }

  #next(): string | undefined {
    this.#asked += 1;
    return this.#tokens[this.#asked % this.#tokens.length];
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({
    method = 'GET',
    path,
    token = this.#next(),
    bearer,
    ...asked
  }: HttpRequest): Promise<HttpReply> {
    const { json, raw, isRemote } = asked;
    const bytes = json ? Buffer.from(JSON.stringify(json)) : raw?.bytes;
    const headers: http.OutgoingHttpHeaders = {
      ...(token && { 'x-auth-token': token }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(isRemote && { 'x-forwarded-for': '203.0.113.7', 'accept-encoding': 'br' }),
      ...(bytes && {
        'content-type': raw?.type ?? 'application/json',
        'content-length': bytes.length,
      }),
    };
    return new Promise((resolve, reject) => {
      const place = { host: '127.0.0.1', port: this.#port, agent: this.#agent };
      const request = http.request({ ...place, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, body: Buffer.concat(chunks) });
        });
      });
      request.once('error', reject);
      request.end(bytes);
    });
  }
}

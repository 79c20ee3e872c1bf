// Writes the snapshots next to this file: node capture.mjs CLI CHROMIUM
// CLI is cli.js of @playwright/mcp.
import {spawn} from 'node:child_process';
import {readFileSync, writeFileSync, mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

const pages = {scalars: {}, unicode: {}, forms: {boxes: true}, links: {}, frames: {}, boxes: {boxes: true}, names: {depth: 3}, lone: {}};
const [cli, chromium] = process.argv.slice(2);
const here = name => new URL(name, import.meta.url);
const dir = mkdtempSync(join(tmpdir(), 'capture-'));

const web = createServer((request, reply) => {
  const name = request.url.slice(1).replace('.html', '');
  reply.writeHead(name in pages ? 200 : 404, {'content-type': 'text/html'});
  reply.end(name in pages ? readFileSync(here(name + '.html')) : '');
});
await new Promise(done => web.listen(0, done));

const server = spawn('node', [cli, '--headless', '--isolated', '--no-sandbox', '--no-webmcp', '--codegen', 'none',
  '--executable-path', chromium, '--output-dir', dir], {stdio: ['pipe', 'pipe', 'inherit'], cwd: dir});
const waiting = new Map();
createInterface({input: server.stdout}).on('line', line => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message.result);
});
const send = message => server.stdin.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\n');
let id = 0;
const call = (method, params) => new Promise(done => {
  waiting.set(++id, done);
  send({id, method, params});
});
const tool = async (name, args) => (await call('tools/call', {name, arguments: args})).content[0].text;

await call('initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'capture', version: '1'}});
send({method: 'notifications/initialized'});
for (const [name, args] of Object.entries(pages)) {
  await tool('browser_navigate', {url: `http://127.0.0.1:${web.address().port}/${name}.html`});
  await new Promise(done => setTimeout(done, 500)); // frames have loaded
  const reply = await tool('browser_snapshot', args);
  writeFileSync(here(name + '.yml'), /### Snapshot\n```yaml\n([^]*?)\n```(?:\n###|$)/.exec(reply)[1]);
}
server.stdin.end();
await new Promise(done => server.on('exit', done));
web.close();
rmSync(dir, {recursive: true});

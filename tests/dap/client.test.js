// cudair's debug adapter, driven by the client with which adapters for VS Code are tested. `CUDAIR` is the binary.
// `./x dap` installs the client and runs this; tests/dap.rs looks at what a client of that kind cannot send.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { afterEach, beforeEach, describe, test } = require('node:test');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const program = path.join(__dirname, 'prog.cu');
const text = fs.readFileSync(program, 'utf8').split('\n');

/** The number of the line that has a text. */
function line(of) {
    const at = text.findIndex((l) => l.includes(of));
    assert.ok(at >= 0, `\`${of}\` is there`);
    return at + 1;
}

let dc;

beforeEach(async () => {
    assert.ok(process.env.CUDAIR, '`CUDAIR` is the path of the binary');
    dc = new DebugClient(process.env.CUDAIR, 'dap', 'cudair', undefined, true);
    dc.defaultTimeout = 60000;
    await dc.start();
});

afterEach(() => dc.stop());

/** The variables of a reference, by name. */
async function variables(reference) {
    const answer = await dc.variablesRequest({ variablesReference: reference });
    return Object.fromEntries(answer.body.variables.map((v) => [v.name, v]));
}

/** Those of a scope of a frame. */
async function scope(frame, name) {
    const { scopes } = (await dc.scopesRequest({ frameId: frame.id })).body;
    return variables(scopes.find((s) => s.name === name).variablesReference);
}

describe('initialize', () => {
    test('an unknown request is refused', async () => {
        await dc.initializeRequest();
        await assert.rejects(dc.send('illegalRequest'), /illegalRequest/);
    });

    test('it says what there is', async () => {
        const { body } = await dc.initializeRequest();
        assert.ok(body.supportsConfigurationDoneRequest && body.supportsStepBack);
    });

    test('paths that are none are refused', async () => {
        const wrong = { adapterID: 'cudair', linesStartAt1: true, columnsStartAt1: true, pathFormat: 'url' };
        await assert.rejects(dc.initializeRequest(wrong), /pathFormat/);
    });
});

describe('launch', () => {
    test('a program runs to its end', async () => {
        const [, , exited] = await Promise.all([
            dc.configurationSequence(),
            dc.launch({ program }),
            dc.waitForEvent('exited'),
            dc.waitForEvent('stopped').then((stopped) => {
                assert.strictEqual(stopped.body.reason, 'exception');
                return dc.continueRequest({ threadId: stopped.body.threadId });
            }),
            dc.waitForEvent('terminated'),
            dc.assertOutput('stdout', 'own.x = 41\n'),
            dc.assertOutput('stderr', 'done\n'),
        ]);
        assert.strictEqual(exited.body.exitCode, 3);
    });

    test('it stops on entry', () =>
        Promise.all([
            dc.configurationSequence(),
            dc.launch({ program, stopOnEntry: true }),
            dc.assertStoppedLocation('entry', { path: program, line: line('own.x = add') }),
        ]));

    test('what is not there is refused', async () => {
        await assert.rejects(dc.launch({ program: path.join(__dirname, 'missing.cu') }), /missing\.cu/);
    });
});

describe('breakpoints', () => {
    test('on the host', () => dc.hitBreakpoint({ program }, { path: program, line: line('int sum') }));

    test('in a kernel', () => dc.hitBreakpoint({ program }, { path: program, line: line('int v =') }));

    test('on a line without code', () =>
        dc.hitBreakpoint(
            { program },
            { path: program, line: line('int twice') },
            { path: program, line: line('int m =') },
            { path: program, line: line('int m =') },
        ));

    test('of a thread, with values, steps and the way back', async () => {
        const at = line('int v =');
        const set = dc.waitForEvent('initialized').then(async () => {
            const breakpoints = [{ line: at, condition: 'block 1,0,0 thread 7 if i == 7' }];
            const answer = await dc.setBreakpointsRequest({ source: { path: program }, breakpoints });
            assert.strictEqual(answer.body.breakpoints[0].verified, true);
            await dc.configurationDoneRequest();
        });
        const stopped = dc.assertStoppedLocation('breakpoint', { path: program, line: at });
        const [, , stack] = await Promise.all([set, dc.launch({ program }), stopped]);
        const { threads } = (await dc.threadsRequest()).body;
        assert.strictEqual(threads[0].name, 'launch 0, block (1,0,0), thread 7');
        assert.strictEqual(threads.length, 32);
        const frame = stack.body.stackFrames[0];
        const locals = await scope(frame, 'Locals');
        assert.strictEqual(locals.i.value, '7');
        const part = await variables((await variables(locals.part.variablesReference))['*'].variablesReference);
        assert.strictEqual(part.x.value, '41');
        assert.strictEqual(part.y.value, '{??, 1.5, ??}');
        const shared = await scope(frame, 'Shared');
        assert.strictEqual((await variables(shared.tile.variablesReference))['[24]'].value, '48');
        const hover = { expression: 'tile[31 - i] + part->x', frameId: frame.id, context: 'hover' };
        assert.strictEqual((await dc.evaluateRequest(hover)).body.result, '89');
        const threadId = threads[0].id;
        await Promise.all([
            dc.nextRequest({ threadId }),
            dc.assertStoppedLocation('step', { path: program, line: at + 1 }),
        ]);
        await Promise.all([
            dc.stepBackRequest({ threadId }),
            dc.assertStoppedLocation('step', { path: program, line: at }),
        ]);
    });

    test('at a finding', async () => {
        const [, , stopped] = await Promise.all([
            dc.configurationSequence(),
            dc.launch({ program }),
            dc.waitForEvent('stopped'),
        ]);
        const info = await dc.exceptionInfoRequest({ threadId: stopped.body.threadId });
        assert.strictEqual(info.body.exceptionId, 'shared-race');
    });
});

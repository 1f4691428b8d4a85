// Called in a window before its scripts, and in each of its workers before the worker's script, then
// with the worker's URL as `address`.
//
// Drops all console messages: Playwright's driver would receive each of them, and a page that logs
// without end would slow down all others. Shared workers are left alone, because the driver detaches
// from them. Built-ins that a page may have replaced by the time it starts a worker, such as the
// iterator of arrays, are not used then.
function quiet(address) {
    const { apply, construct, getOwnPropertyDescriptor } = Reflect;
    const wrap = (holder, name, traps) => (holder[name] = new Proxy(holder[name], traps));
    const getter = (kind, name) => {
        const { get } = getOwnPropertyDescriptor(kind.prototype, name);
        return (object) => apply(get, object, []);
    };

    for (const name of Object.keys(console))
        if (typeof console[name] === "function" && name !== "createTask") console[name] = () => {};

    // Worklets have consoles of their own, so none are loaded.
    if (self.Worklet) Worklet.prototype.addModule = () => Promise.resolve();

    // Uncaught errors are logged to the console unless prevented. An error in a listener for `error`
    // events could not be, so the page's listeners get no events. The owner of a worker still gets
    // the first ten errors, shortened.
    const { preventDefault, stopImmediatePropagation } = Event.prototype;
    const messageOf = getter(ErrorEvent, "message");
    const [later, { slice }] = [setTimeout, String.prototype];
    let [left, isRepeated] = [address === undefined ? 0 : 10, false];
    addEventListener("unhandledrejection", (event) => apply(preventDefault, event, []));
    addEventListener("error", (event) => {
        if (isRepeated) return (isRepeated = false);
        apply(preventDefault, event, []);
        apply(stopImmediatePropagation, event, []);
        if (left-- <= 0) return;
        const message = apply(slice, messageOf(event), [0, 200]);
        later(() => {
            isRepeated = true;
            throw message;
        });
    });

    // A worker is started with a blob that calls this function, then loads the requested script.
    const [source, json, Address, File] = [`(${quiet})`, JSON.stringify, URL, Blob];
    const [{ createObjectURL }, { iterator }] = [URL, Symbol];
    const base = address === undefined ? getter(Node, "baseURI") : () => address;
    const absolute = (url) => new Address(`${url}`, base(self.document)).href;
    const alone = (part) => {
        let step = { done: false, value: part };
        const next = () => {
            const now = step;
            step = { done: true };
            return now;
        };
        return { [iterator]: () => ({ next }) };
    };
    const file = (part) => createObjectURL(new File(alone(part), { type: "text/javascript" }));
    wrap(self, "Worker", {
        construct(target, values, kind) {
            const asked = absolute(values[0]);
            const script = json(files.has(asked) ? file(files.get(asked)) : asked);
            const call = `${source}(${json(asked)});`;
            const isModule = values[1]?.type === "module";
            const text = isModule
                ? `import ${json(file(call))}; import ${script}`
                : `${call} importScripts(${script})`;
            return construct(target, [file(text), values[1]], kind);
        },
    });
    Worker.prototype.constructor = Worker;

    // Pages revoke the URL of a blob as soon as they have started a worker with it, so keep the blob.
    const files = new Map();
    wrap(URL, "createObjectURL", {
        apply(target, self, values) {
            const url = apply(target, self, values);
            if (values[0] instanceof File) files.set(url, values[0]);
            return url;
        },
    });
    wrap(URL, "revokeObjectURL", {
        apply(target, self, values) {
            files.delete(values[0]);
            return apply(target, self, values);
        },
    });

    // In a worker: resolve relative URLs against the worker's URL instead of the blob's.
    if (!/^https?:/.test(address)) return;
    Object.defineProperty(self, "location", { value: new URL(address) });
    const rebased = (values, place) => {
        const all = [...values];
        if (place in all && !(all[place] instanceof Request)) all[place] = absolute(all[place]);
        return all;
    };
    for (const name of ["Request", "EventSource", "WebSocket"])
        wrap(self, name, {
            construct: (target, values, kind) => construct(target, rebased(values, 0), kind),
        });
    wrap(self, "fetch", {
        apply: (target, self, values) => apply(target, self, rebased(values, 0)),
    });
    wrap(self, "importScripts", {
        apply: (target, self, values) => apply(target, self, values.map(absolute)),
    });
    wrap(XMLHttpRequest.prototype, "open", {
        apply: (target, self, values) => apply(target, self, rebased(values, 1)),
    });
}

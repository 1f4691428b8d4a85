// Called in a window before its scripts, and in each of its workers before the worker's own, there
// with the worker's address.
//
// The console hears nothing of them: Playwright's driver is told of every message of either, which
// nobody reads, and a page that writes without an end would take the time of all others. Shared
// workers are let be, for the driver lets go of them. What a page may have replaced by the time it
// starts a worker, such as the iterator of arrays, is not asked then.
function quiet(address) {
    const { apply, construct, getOwnPropertyDescriptor } = Reflect;
    const wrap = (holder, name, traps) => (holder[name] = new Proxy(holder[name], traps));
    const getter = (kind, name) => {
        const { get } = getOwnPropertyDescriptor(kind.prototype, name);
        return (object) => apply(get, object, []);
    };

    for (const name of Object.keys(console))
        if (typeof console[name] === "function" && name !== "createTask") console[name] = () => {};

    // Worklets paint and play, with consoles of their own.
    if (self.Worklet) Worklet.prototype.addModule = () => Promise.resolve();

    // What a listener throws meanwhile would come as no event and be written, so the page has none.
    // Who started a worker is told of its first errors, in few words.
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

    // The script of a worker is a file that calls this function, and then loads what was asked for.
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

    // Pages take back the address of a file as soon as they have started a worker with it.
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

    // What is relative to the address of a worker is not to be relative to that of the file.
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

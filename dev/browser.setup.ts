// React would time and describe each render for the developer's tools, and keep a stack for each element.
Object.assign(console, { timeStamp: undefined, createTask: undefined });

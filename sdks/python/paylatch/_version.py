# Generated from package.json by `npm run generate`: change package.json, not this file.
VERSION = "0.2.0"

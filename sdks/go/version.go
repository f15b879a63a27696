// Code generated from package.json by `npm run generate`. DO NOT EDIT: change package.json.

package paylatch

// Version is the version of the service that this SDK was released with.
const Version = "0.2.0"

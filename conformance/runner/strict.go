package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// decodeStrict reads one JSON document into v, which points to a struct. A key
// that the struct does not name exactly is an error, as is a repeated key:
// encoding/json alone would match names in any case and keep the last.
func decodeStrict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := checkKeys(dec, reflect.TypeOf(v), ""); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("text after the document")
	}
	return json.Unmarshal(data, v)
}

var unmarshalerType = reflect.TypeFor[json.Unmarshaler]()

// checkKeys consumes one value and compares its keys with type t. A nil t is
// free-form: any keys, but none twice.
func checkKeys(dec *json.Decoder, t reflect.Type, path string) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && (t.Kind() == reflect.Interface || reflect.PointerTo(t).Implements(unmarshalerType)) {
		t = nil
	}
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	switch tok {
	case json.Delim('{'):
		return checkObject(dec, t, path)
	case json.Delim('['):
		var elem reflect.Type
		if t != nil && t.Kind() == reflect.Slice {
			elem = t.Elem()
		}
		for i := 0; dec.More(); i++ {
			if err := checkKeys(dec, elem, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		_, err = dec.Token()
	}
	return err
}

func checkObject(dec *json.Decoder, t reflect.Type, path string) error {
	seen := map[string]bool{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		key := tok.(string)
		here := strings.TrimPrefix(path+"."+key, ".")
		if seen[key] {
			return fmt.Errorf("repeated key %s", here)
		}
		seen[key] = true
		var elem reflect.Type
		switch {
		case t == nil:
		case t.Kind() == reflect.Map:
			elem = t.Elem()
		case t.Kind() == reflect.Struct:
			field, ok := fieldOf(t, key)
			if !ok {
				return fmt.Errorf("unknown key %s", here)
			}
			elem = field
		}
		if err := checkKeys(dec, elem, here); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// fieldOf finds the field a key is decoded into, embedded structs included.
func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			if found, ok := fieldOf(f.Type, key); ok {
				return found, true
			}
		} else if name == key && name != "-" {
			return f.Type, true
		}
	}
	return nil, false
}

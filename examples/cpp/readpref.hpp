// readpref.hpp: libreadpref for C++17. Handles are objects that close themselves, error documents are exceptions.
//
// It is an example: take it into your project and change it. It links with either library.
#ifndef READPREF_HPP
#define READPREF_HPP

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "readpref.h"

namespace readpref {

namespace detail {

// The string behind a key of an error document, "" where there is none. An error document is always one object of strings
// and a number, without white space (\u escapes stay as they are); a driver asks the JSON parser it has instead.
inline std::string member(std::string_view document, std::string_view key) {
  const std::string start = '"' + std::string(key) + "\":\"";
  std::string text;
  auto at = document.find(start);
  if (at == std::string_view::npos) return text;
  for (at += start.size(); at < document.size() && document[at] != '"'; at++) {
    if (document[at] == '\\' && at + 1 < document.size() && (document[at + 1] == '"' || document[at + 1] == '\\')) at++;
    text += document[at];
  }
  return text;
}

}  // namespace detail

// What went wrong. status() is one of RP_E_..., code() its name, path() where in the request ("" for the whole). Where only
// a status is known, from the functions without documents, code() and path() are empty.
class error : public std::runtime_error {
 public:
  explicit error(std::int32_t status, const char *function)
      : std::runtime_error(std::string(function) + ": status " + std::to_string(status)), status_(status) {}
  explicit error(std::string_view document)
      : std::runtime_error(detail::member(document, "message")), code_(detail::member(document, "code")), path_(detail::member(document, "path")) {
    const std::string_view key = "\"status\":";
    if (const auto at = document.find(key); at != std::string_view::npos) status_ = std::stoi(std::string(document.substr(at + key.size(), 12)));
  }
  std::int32_t status() const noexcept { return status_; }
  const std::string &code() const noexcept { return code_; }
  const std::string &path() const noexcept { return path_; }

 private:
  std::int32_t status_ = RP_E_INTERNAL;
  std::string code_, path_;
};

namespace detail {

inline const std::uint8_t *bytes(std::string_view text) { return reinterpret_cast<const std::uint8_t *>(text.data()); }

// An answer of any length, from a function that has no side effect: f(out, cap) is asked again where the buffer was too small.
template <typename F>
std::string answer(F f) {
  std::string out(RP_MIN_BUFFER, '\0');
  for (;;) {
    const std::int32_t n = f(reinterpret_cast<std::uint8_t *>(out.data()), out.size());
    const std::size_t len = n < 0 ? static_cast<std::size_t>(-static_cast<std::int64_t>(n)) : static_cast<std::size_t>(n);
    const bool whole = len <= out.size();
    out.resize(len);
    if (!whole) continue;
    if (n < 0) throw error(out);
    return out;
  }
}

// A handle or 0, from a function that opens or changes something: it is called once, and an error document always fits.
template <typename F>
std::uint32_t once(F f) {
  char out[RP_MIN_BUFFER];
  const std::int32_t n = f(reinterpret_cast<std::uint8_t *>(out), sizeof out);
  if (n < 0) throw error(std::string_view(out, static_cast<std::size_t>(-n)));
  return static_cast<std::uint32_t>(n);
}

// A handle of the library's, closed with the object.
class handle {
 public:
  explicit handle(std::uint32_t value) noexcept : value_(value) {}
  handle(handle &&other) noexcept : value_(std::exchange(other.value_, 0)) {}
  handle &operator=(handle &&other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~handle() {
    if (value_ != 0) rp_close(value_);
  }
  std::uint32_t get() const noexcept { return value_; }

 private:
  std::uint32_t value_;
};

}  // namespace detail

// Throws unless the loaded library has this header's ABI. Call it first, once.
inline void check_version() {
  const std::uint32_t v = rp_abi_version();
  if (v >> 16 != RP_ABI_MAJOR || v < RP_ABI_VERSION)
    throw std::runtime_error("readpref: the library has ABI " + std::to_string(v >> 16) + "." + std::to_string(v & 0xffff));
}

// Runs a method that opens and changes nothing: select, explain, validate, server.parse_hello, build_info, methods.
inline std::string call(std::string_view method, std::string_view request = {}) {
  return detail::answer([&](std::uint8_t *out, std::size_t cap) {
    return rp_call(detail::bytes(method), method.size(), detail::bytes(request), request.size(), out, cap);
  });
}

// A read preference: {"readPreference": ...}, {"uriOptions": "..."} or {"mongosh": [...]}.
class preference {
 public:
  explicit preference(std::string_view document)
      : handle_(detail::once([&](std::uint8_t *out, std::size_t cap) { return rp_readpref_open(detail::bytes(document), document.size(), out, cap); })) {}
  std::uint32_t get() const noexcept { return handle_.get(); }

 private:
  detail::handle handle_;
};

class topology;

// One operation on a server, counted there until this object ends. Its topology must live as long.
class checkout {
 public:
  checkout(checkout &&other) noexcept : topology_(std::exchange(other.topology_, nullptr)), id_(other.id_) {}
  checkout &operator=(checkout &&other) noexcept {
    std::swap(topology_, other.topology_);
    std::swap(id_, other.id_);
    return *this;
  }
  inline ~checkout();
  std::uint32_t server() const noexcept { return id_; }

 private:
  friend class topology;
  checkout(const topology *t, std::uint32_t id) noexcept : topology_(t), id_(id) {}
  const topology *topology_;
  std::uint32_t id_;
};

// A deployment. Every function may be called from any thread at any time.
class topology {
 public:
  // {"topology": description, "seed", "localThresholdMS", ...}; give entropy as seed in production.
  explicit topology(std::string_view document)
      : handle_(detail::once([&](std::uint8_t *out, std::size_t cap) { return rp_topology_open(detail::bytes(document), document.size(), out, cap); })) {}

  // Replaces the description: {"topology": description}. Where it throws, the old one stays.
  void update(std::string_view document) {
    detail::once([&](std::uint8_t *out, std::size_t cap) { return rp_topology_update(get(), detail::bytes(document), document.size(), out, cap); });
  }

  // The server for one operation, or nothing when nobody is suitable now: wait until generation() changes, then ask again.
  std::optional<checkout> select(const preference &p, std::uint32_t operation = RP_READ) const {
    const std::int32_t id = rp_select(get(), p.get(), operation | RP_CHECKOUT);
    if (id == RP_E_NO_SERVER) return std::nullopt;
    if (id < 0) throw error(id, "rp_select");
    return checkout(this, static_cast<std::uint32_t>(id));
  }

  // The normalised address of a server, by the id that a selection gave.
  std::string address(std::uint32_t server) const {
    std::string out(64, '\0');
    for (;;) {
      const std::int32_t n = rp_address(get(), server, reinterpret_cast<std::uint8_t *>(out.data()), out.size());
      if (n < 0) throw error(n, "rp_address");
      const bool whole = static_cast<std::size_t>(n) <= out.size();
      out.resize(static_cast<std::size_t>(n));
      if (whole) return out;
    }
  }

  // Why select would choose what it chooses now: the answer of the method explain.
  std::string explain(const preference &p, std::string_view options = {}) const {
    return detail::answer([&](std::uint8_t *out, std::size_t cap) { return rp_explain(get(), p.get(), detail::bytes(options), options.size(), out, cap); });
  }

  // What opens this topology again, with live operation counts.
  std::string describe() const {
    return detail::answer([&](std::uint8_t *out, std::size_t cap) { return rp_topology_describe(get(), out, cap); });
  }

  // Changes with every accepted description. Compare for inequality.
  std::uint32_t generation() const noexcept { return rp_generation(get()); }
  std::uint32_t get() const noexcept { return handle_.get(); }

 private:
  detail::handle handle_;
};

inline checkout::~checkout() {
  if (topology_ != nullptr) rp_release(topology_->get(), id_);
}

}  // namespace readpref

#endif

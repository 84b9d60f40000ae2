// x86 raises a signal for an integer division by zero or an overflowing quotient. This gives such a
// division arm64's result and continues after it.
#if defined(__linux__) && defined(__x86_64__)
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

namespace mkls {

namespace {

// Registers in the order of their numbers in machine code.
constexpr int kOrder[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                            REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

struct Division {
  int length;       // of the instruction
  int width;        // of the operand in bytes; 0: not a division
  uint64_t divisor;
};

uint64_t truncated(uint64_t value, int width) { return width == 8 ? value : value & ((1ull << (8 * width)) - 1); }

uint64_t load(uint64_t address, int width) {
  uint64_t value = 0;
  memcpy(&value, reinterpret_cast<void*>(address), size_t(width));
  return value;
}

int32_t displacement(const uint8_t*& code, int mode) {
  int32_t value = 0;
  if (mode == 1) {
    value = int8_t(*code);
    code += 1;
  } else if (mode == 2) {
    memcpy(&value, code, 4);
    code += 4;
  }
  return value;
}

// The address of a memory operand; `code` points behind the ModRM byte and is moved behind the operand.
uint64_t operand_address(const greg_t* registers, const uint8_t*& code, int mode, int rm, int rex) {
  uint64_t address = 0;
  if (rm == 4) {
    uint8_t sib = *code++;
    int base = (sib & 7) | (rex & 1) << 3, index = (sib >> 3 & 7) | (rex >> 1 & 1) << 3;
    if (index != 4) address += uint64_t(registers[kOrder[index]]) << (sib >> 6);
    if ((sib & 7) == 5 && mode == 0) return address + uint64_t(int64_t(displacement(code, 2)));
    address += uint64_t(registers[kOrder[base]]);
  } else if (rm == 5 && mode == 0) {
    int32_t offset = displacement(code, 2);
    return reinterpret_cast<uint64_t>(code) + uint64_t(int64_t(offset));
  } else {
    address = uint64_t(registers[kOrder[rm | (rex & 1) << 3]]);
  }
  return address + uint64_t(int64_t(displacement(code, mode)));
}

Division decode(const greg_t* registers) {
  const uint8_t* start = reinterpret_cast<const uint8_t*>(registers[REG_RIP]);
  const uint8_t* code = start;
  int rex = 0, width = 4;
  if (*code == 0x66) width = 2, code++;
  if ((*code & 0xf0) == 0x40) rex = *code++;
  if (rex & 8) width = 8;
  uint8_t opcode = *code++, modrm = *code++;
  if ((opcode & 0xfe) != 0xf6 || (modrm >> 4 & 3) != 3) return {};
  if (opcode == 0xf6) width = 1;
  int mode = modrm >> 6, rm = modrm & 7;
  uint64_t divisor;
  if (mode == 3) {
    bool high = width == 1 && !rex && rm >= 4;  // ah, ch, dh, bh
    uint64_t value = uint64_t(registers[kOrder[high ? rm - 4 : rm | (rex & 1) << 3]]);
    divisor = truncated(high ? value >> 8 : value, width);
  } else {
    uint64_t address = operand_address(registers, code, mode, rm, rex);
    divisor = load(address, width);
  }
  return {int(code - start), width, divisor};
}

void set(greg_t* registers, int index, uint64_t value, int width) {
  uint64_t old = uint64_t(registers[index]);
  if (width == 8 || width == 4) registers[index] = greg_t(truncated(value, width));
  else registers[index] = greg_t((old & ~0xffffull) | (value & 0xffff));
}

}  // namespace

bool emulate_division(greg_t* registers) {
  Division division = decode(registers);
  if (!division.width) return false;
  uint64_t dividend = uint64_t(registers[REG_RAX]);
  bool by_zero = division.divisor == 0;
  uint64_t quotient = by_zero ? 0 : dividend, remainder = by_zero ? dividend : 0;
  if (division.width == 1) {
    set(registers, REG_RAX, (quotient & 0xff) | (remainder & 0xff) << 8, 2);
  } else {
    set(registers, REG_RAX, quotient, division.width);
    set(registers, REG_RDX, remainder, division.width);
  }
  registers[REG_RIP] += division.length;
  return true;
}

}  // namespace mkls
#endif
